import { readFileSync } from 'node:fs';
import type { RealIp } from '@breakwater/contract/site-config/real-ip';
import { expect, it } from 'vitest';
import { isInSet, packAddresses } from './address-set.ts';
import { traceAddress } from './address-trace.ts';
import { parseEntry, type SeenRequest } from './client-address.ts';
import { formatAddress } from './ip.ts';

interface Case {
  about: string;
  input: { rule: RealIp; seen: SeenRequest; lists?: Record<string, string[]> };
  expect: { address: string; reason: string; field?: string };
}
const cases = JSON.parse(
  readFileSync(new URL('../../vectors/client-address.json', import.meta.url), 'utf8'),
) as Case[];

it.each(cases.map((each) => [each.about, each] as const))(
  'the steps lead to what was decided: %s',
  (_, { input, expect: decided }) => {
    const { chosen, fields, trust } = traceAddress(input.rule, input.seen, (list, address) =>
      isInSet(address, packAddresses(input.lists?.[list] ?? [])),
    );
    expect(chosen).toEqual(decided);
    const picked = fields.flatMap(({ field, entries }) =>
      entries.flatMap(({ text, verdict }) => (verdict === 'chosen' ? [{ field, text }] : [])),
    );
    expect(picked.length).toBe(decided.reason === 'field' ? 1 : 0);
    for (const { field, text } of picked)
      expect({ field, address: formatAddress(parseEntry(text)!) }).toEqual({
        field: decided.field,
        address: decided.address,
      });
    expect(trust === 'untrusted').toBe(decided.reason === 'untrusted_peer');
    // A field that could not be read says why, where no other decided.
    if (decided.reason === 'bad_field' || decided.reason === 'short_list')
      expect(fields.find(({ field }) => field === decided.field)?.outcome).toBe(decided.reason);
  },
);
