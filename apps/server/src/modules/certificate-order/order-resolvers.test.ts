import {
  freePorts,
  saveSetting,
  startDnsServer,
  trySetting,
  waitFor,
  type DnsServer,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { OrderWorld } from './test-orders.ts';

/** Real DNS servers that differ. */

let w: OrderWorld;
let own: DnsServer;
let same: DnsServer;
let old: DnsServer;
let silent: string;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
  const now = ['* IN A 192.0.2.1', '* IN AAAA 2001:db8::1', '* IN CAA 0 issue "ours.example"'];
  own = await startDnsServer('example.com', now);
  same = await startDnsServer('example.com', now);
  old = await startDnsServer('example.com', ['* IN A 198.51.100.7', '* IN CAA 0 issue "ours.example"']);
  silent = `127.0.0.1:${(await freePorts(1))[0]!}`;
});
afterAll(async () => {
  await w.close();
  await Promise.all([own, same, old].map((server) => server.close()));
});

const compareWith = (...servers: string[]) =>
  saveSetting(w.world, 'SiteSetting', {
    dns_servers: [own.address],
    compared_dns_servers: servers,
    site_check: false,
  });

/** Of an order, up to the end of what is checked before the authority is asked. */
async function timeline(challenge: 'http-01' | 'dns-01') {
  const more = challenge === 'http-01' ? { challenge, dns_account_id: null } : {};
  const { data } = await w.order(w.one, { acme_account_id: w.accountId, ...more });
  const { id } = data as { id: number };
  const steps = await waitFor('the checks', async () => {
    const found = await w.stepsOf(id);
    return found.some(({ kind }) => kind === 'checked' || kind === 'failed') && found;
  });
  return { name: (await w.read(id)).domains[0]!, steps };
}

it('what each resolver sees stands in the timeline of an order, before it fails for it', async () => {
  await compareWith(same.address, old.address, silent);
  const { name, steps } = await timeline('http-01');
  const seen = steps.filter(({ kind }) => kind.startsWith('resolver'));
  expect(seen).toMatchObject([
    {
      kind: 'resolvers_agree',
      facts: { servers: same.address },
      detail: `${name} A 192.0.2.1\n${name} AAAA 2001:db8::1\n${name} CAA 0 issue "ours.example"`,
    },
    { kind: 'resolver_silent', facts: { server: silent }, detail: 'ECONNREFUSED' },
    {
      kind: 'resolver_differs',
      facts: { server: old.address, name, record: 'A', seen: '198.51.100.7', ours: '192.0.2.1' },
    },
    {
      kind: 'resolver_differs',
      facts: { server: old.address, name, record: 'AAAA', seen: '-', ours: '2001:db8::1' },
    },
  ]);
  const kinds = steps.map(({ kind }) => kind);
  expect(kinds.lastIndexOf('resolver_differs')).toBeLessThan(kinds.indexOf('failed'));
  expect(steps.find(({ kind }) => kind === 'failed')).toMatchObject({ problem: 'dns_elsewhere' });
});

it('where the DNS proves it, it is the records that matter then; and nobody is asked where none is named', async () => {
  await old.write(['* IN CAA 0 issue "theirs.example"', '_acme-challenge.any IN CNAME elsewhere.test.']);
  await compareWith(old.address);
  const { name, steps } = await timeline('dns-01');
  expect(steps.filter(({ kind }) => kind.startsWith('resolver'))).toMatchObject([
    {
      kind: 'resolver_differs',
      facts: { name, record: 'CAA', seen: '0 issue "theirs.example"', ours: '0 issue "ours.example"' },
    },
  ]);
  await compareWith();
  const kinds = (await timeline('http-01')).steps.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind.startsWith('resolver'))).toEqual([]);
  expect(
    await trySetting(w.world, 'SiteSetting', { compared_dns_servers: ['8.8.8.8', 'dns'] }),
  ).toMatchObject({
    errors: [{ path: 'value.compared_dns_servers.1' }],
  });
});
