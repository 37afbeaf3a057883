import { dnsProviders, dnsRecordSet, type DnsRecordType } from '@breakwater/contract';
import * as z from 'zod';
import { allPages, readAnswer } from '../call-vendor.ts';
import { customCalls, customIssues, type CustomCall } from '../custom-calls.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import { dnsClient, withoutDot, type DnsClient, type HostRecordSet } from './dns-client.ts';
import { fromHostValue, type ValueForm } from './dns-values.ts';

/** An address of the operator's own; its protocol is ours: `docs/dns-accounts.md`. */

const form: ValueForm = { text: 'quoted', names: 'dot', priority: 'within' };

const paged = { next: z.string().min(1).optional() };
const zonePage = z.object({ zones: z.array(z.string()), ...paged });
const recordPage = z.object({
  // Of types that we do not know there may be records too.
  records: z.array(z.union([dnsRecordSet, z.looseObject({ type: z.string() })])),
  ...paged,
});

type Params = z.output<typeof dnsProviders.custom_http.params>;

const issues = {
  ...customIssues,
  zone_unknown: 'dns_zone_unknown',
  line_unknown: 'dns_line_unknown',
  type_unknown: 'dns_type_unknown',
  ttl_too_low: 'dns_ttl',
} as const;

async function zonesOf(call: CustomCall): Promise<string[]> {
  let cursor = {};
  const found = await allPages(async () => {
    const { zones, next } = readAnswer(zonePage, await call('list_zones', cursor));
    cursor = { cursor: next };
    return { items: zones, isLast: next === undefined };
  });
  return found.map(withoutDot);
}

async function setsOf(
  call: CustomCall,
  zone: string,
  of?: { name: string; type: DnsRecordType },
): Promise<HostRecordSet[]> {
  const only = of ? { name: of.name, type: of.type } : {};
  let cursor = {};
  const found = await allPages(async () => {
    const answer = await call('list_records', { zone, ...only, ...cursor });
    const { records, next } = readAnswer(recordPage, answer);
    cursor = { cursor: next };
    return { items: records, isLast: next === undefined };
  });
  return found.flatMap((record) => {
    const set = dnsRecordSet.safeParse(record).data;
    if (!set) return [];
    const values = set.values.flatMap((value) => fromHostValue(set.type, { value }, form) ?? []);
    return [{ ...set, name: withoutDot(set.name), line: set.line ?? 'default', values }];
  });
}

function makeCustomHttp(params: Params, { reach }: ProviderContext): DnsClient {
  const call = customCalls(params, reach, issues);
  return dnsClient({
    lines: {
      default: 'default',
      telecom: 'telecom',
      unicom: 'unicom',
      mobile: 'mobile',
      edu: 'edu',
      overseas: 'overseas',
    },
    ttlSecondsMin: 1,
    zones: () => zonesOf(call),
    list: (zone, of) => setsOf(call, zone, of),
    apply: async (zone, records) => void (await call('apply_records', { zone, records })),
  });
}

export const customHttpProvider = defineProvider<DnsClient, typeof dnsProviders.custom_http>(
  dnsProviders.custom_http,
  {
    make: makeCustomHttp,
    test: async (client) => void (await client.zones()),
  },
);
