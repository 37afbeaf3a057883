import {
  dnsProviders,
  emptyParams,
  providerFamilies,
  providerFields,
  type DnsProviderCode,
} from '@breakwater/contract';
import { startDnsHost, startKnot, type DnsHost } from '@breakwater/test-world';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderProblem } from '../define-provider.ts';
import { reachOf } from '../reach.ts';
import { providers } from '../registry.ts';
import type { DnsClient } from './dns-client.ts';

/** A real PowerDNS, by its API and by DNS UPDATE, and a real Knot DNS by DNS UPDATE: all are to do the same. */

const [zone, foreign] = ['example.com', 'foreign.example'];
let host: DnsHost;
let long: DnsHost;
let knot: Awaited<ReturnType<typeof startKnot>>;
const reach = reachOf({ privateOrigins: false, providerNetworks: ['127.0.0.0/8'] }, null);

beforeAll(async () => {
  [host, long, knot] = await Promise.all([
    startDnsHost([zone], { others: [foreign] }),
    startDnsHost([zone], { algorithm: 'hmac-sha512' }),
    startKnot([zone]),
  ]);
});
afterAll(() => Promise.all([host?.close(), long?.close(), knot?.close()]));

const powerdns = (more: object = {}, by = reach): DnsClient =>
  providers.dns.powerdns.make(
    { url: host.apiUrl, api_key: host.apiKey, server_id: 'localhost', ...more },
    { reach: by },
  );
const rfc2136 = (more: object = {}, by = reach, on: Pick<DnsHost, 'server' | 'tsig'> = host): DnsClient =>
  providers.dns.rfc2136.make(
    {
      server: on.server,
      zones: [zone],
      key_name: on.tsig.name,
      algorithm: on.tsig.algorithm,
      key_secret: on.tsig.key,
      ...more,
    },
    { reach: by },
  );
const onKnot = (more: object = {}, by = reach): DnsClient => rfc2136(more, by, knot);
const problem = (issue: string) => expect.objectContaining({ issue });

describe.each([
  ['powerdns', 'powerdns', powerdns, rfc2136],
  ['rfc2136', 'rfc2136', rfc2136, powerdns],
  // No API of its own tells what it has: another transfer does.
  ['knot', 'rfc2136', onKnot, onKnot],
] as const)('%s', (place, code, make, makeOther) => {
  it('lists its zones, and its test passes', async () => {
    expect(await make().zones()).toEqual(code === 'powerdns' ? [zone, foreign] : [zone]);
    await providers.dns[code].test(make());
  });

  it.each([
    ['A', ['192.0.2.1', '192.0.2.2']],
    ['AAAA', ['2001:db8::1']],
    ['CNAME', ['www.example.net.']],
    ['MX', ['10 mail.example.com.', '20 mail2.example.com.']],
    ['NS', ['ns1.example.net.']],
    ['PTR', ['host.example.com.']],
    ['SRV', ['10 20 443 target.example.com.']],
    ['TXT', ['"one text"', String.raw`"with \"quotes\"" "and a second part"`]],
    ['CAA', ['0 issue "letsencrypt.org"']],
  ] as const)('sets, reads, replaces and deletes %s, as the other one sees it', async (type, values) => {
    const name = `${type.toLowerCase()}-${place}.${zone}`;
    const client = make();
    expect(await client.read(zone, name, type)).toBeUndefined();
    await client.set(zone, { name, type, ttl: 120, values: [...values] });
    for (const reader of [client, makeOther()]) {
      const found = await reader.read(zone, name, type);
      expect(found).toMatchObject({ name, type, ttl: 120 });
      expect(found!.values.toSorted()).toEqual(values.toSorted());
    }
    await client.set(zone, { name, type, ttl: 300, values: [values[0]] });
    expect(await makeOther().read(zone, name, type)).toMatchObject({ ttl: 300, values: [values[0]] });
    await client.remove(zone, name, type);
    expect(await makeOther().read(zone, name, type)).toBeUndefined();
    // What is gone may be taken away again.
    await client.remove(zone, name, type);
  });

  it('changes one record set and leaves its neighbours', async () => {
    const name = `both-${place}.${zone}`;
    const client = make();
    await client.set(zone, { name, type: 'A', ttl: 60, values: ['192.0.2.9'] });
    await client.set(zone, { name, type: 'TXT', ttl: 60, values: ['"stays"'] });
    await client.remove(zone, name, 'A');
    expect(await client.read(zone, name, 'TXT')).toMatchObject({ values: ['"stays"'] });
  });

  it('does many changes in one step: all of them or none', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `n${n}-${place}.${zone}`);
    const set = (name: string, values: string[]) => ({ name, type: 'A' as const, ttl: 60, values });
    await make().apply(
      zone,
      names.map((name) => set(name, ['192.0.2.1'])),
    );
    await make().apply(
      zone,
      names.map((name, n) => set(name, n % 2 === 0 ? [] : ['198.51.100.1'])),
    );
    const found = await Promise.all(names.map((name) => makeOther().read(zone, name, 'A')));
    expect(found.map((each) => each?.values)).toEqual(
      names.map((_, n) => (n % 2 === 0 ? undefined : ['198.51.100.1'])),
    );
    const outside = [set(names[1]!, []), set('www.example.net', ['192.0.2.1'])];
    await expect(make().apply(zone, outside)).rejects.toEqual(problem('dns_zone_unknown'));
    expect(await make().read(zone, names[1]!, 'A')).toBeDefined();
  });

  it('lists all records of a zone, in as many messages as they take', async () => {
    const many = Array.from({ length: 3000 }, (_, n) => ({
      name: `a-name-of-some-length-${n}.list-${place}.${zone}`,
      type: 'TXT' as const,
      ttl: 60,
      values: [`"${'x'.repeat(40)}"`],
    }));
    for (let at = 0; at < many.length; at += 500) await make().apply(zone, many.slice(at, at + 500));
    const found = (await make().list(zone)).filter(({ name }) => name.includes(`list-${place}`));
    expect(found.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(
      many.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    );
    await expect(make().list('nobody.example')).rejects.toEqual(problem('dns_zone_unknown'));
    const gone = many.map((set) => ({ ...set, values: [] }));
    for (let at = 0; at < gone.length; at += 500) await make().apply(zone, gone.slice(at, at + 500));
  });

  it('has no lines', async () => {
    const records = { name: zone, type: 'A' as const, line: 'telecom', ttl: 60, values: ['192.0.2.1'] };
    await expect(make().set(zone, records)).rejects.toEqual(problem('dns_line_unknown'));
  });

  it('takes a wildcard', async () => {
    const name = `*.wild-${place}.${zone}`;
    await make().set(zone, { name, type: 'A', ttl: 60, values: ['192.0.2.7'] });
    expect(await makeOther().read(zone, name, 'A')).toMatchObject({ name, values: ['192.0.2.7'] });
  });

  it('refuses what is no value of its type, and changes nothing', async () => {
    const name = `wrong-${place}.${zone}`;
    const records = { name, type: 'A', ttl: 60, values: ['192.0.2.1', 'no address'] } as const;
    await expect(make().set(zone, { ...records, values: [...records.values] })).rejects.toBeInstanceOf(
      ProviderProblem,
    );
    expect(await make().read(zone, name, 'A')).toBeUndefined();
  });

  it('does not know the zones of others, nor names outside of a zone', async () => {
    await expect(make().read('nobody.example', 'www.nobody.example', 'A')).rejects.toEqual(
      problem('dns_zone_unknown'),
    );
    const records = { name: 'www.example.net', type: 'A', ttl: 60, values: ['192.0.2.1'] } as const;
    await expect(make().set(zone, { ...records, values: [...records.values] })).rejects.toEqual(
      problem('dns_zone_unknown'),
    );
  });

  it('reaches no private address that the operator has not named', async () => {
    const outside = { privateOrigins: false, providerNetworks: ['10.0.0.0/8'] };
    for (const by of [
      reachOf(outside, null),
      // The operator's networks are for the operator's accounts.
      reachOf({ ...outside, providerNetworks: ['127.0.0.0/8'] }, 5),
    ])
      await expect(make({}, by).zones()).rejects.toEqual(problem('provider_private'));
    expect(await make({}, reachOf({ ...outside, privateOrigins: true }, 5)).zones()).toContain(zone);
  });

  it('says when nobody answers', async () => {
    const nowhere = code === 'powerdns' ? { url: 'http://127.0.0.1:9' } : { server: '127.0.0.1:9' };
    await expect(make(nowhere).zones()).rejects.toEqual(problem('provider_unreachable'));
  });
});

describe('the secret', () => {
  it('of PowerDNS that is wrong is refused', async () => {
    await expect(powerdns({ api_key: 'wrong' }).zones()).rejects.toEqual(problem('provider_key'));
  });

  it('of DNS UPDATE that is wrong, or of another name or algorithm, is refused', async () => {
    const key = randomBytes(32).toString('base64');
    for (const more of [{ key_secret: key }, { key_name: 'other-key' }, { algorithm: 'hmac-sha512' }])
      await expect(rfc2136(more).zones(), JSON.stringify(more)).rejects.toEqual(problem('provider_key'));
  });

  it('of DNS UPDATE opens its own zones alone', async () => {
    await expect(rfc2136({ zones: [foreign] }).zones()).rejects.toEqual(problem('provider_forbidden'));
    await expect(rfc2136({ zones: [foreign] }).list(foreign)).rejects.toBeInstanceOf(ProviderProblem);
  });

  it('of DNS UPDATE may be longer', async () => {
    expect(await rfc2136({}, reach, long).zones()).toEqual([zone]);
  });

  it('is not sent after a redirect', async () => {
    let keys = 0;
    const thief = createServer((request, response) => {
      if (request.url === '/stolen') keys += 1;
      response.writeHead(302, { location: '/stolen' }).end();
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    await expect(powerdns({ url }).zones()).rejects.toEqual(problem('provider_status:302'));
    expect(keys).toBe(0);
    await new Promise((resolve) => thief.close(resolve));
  });
});

it('vendors are called at their own addresses, of which the guard is asked', async () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const file = { project_id: 'p', client_email: 'a@example.com', private_key: key };
  const hosts: Partial<Record<DnsProviderCode, string>> = {
    alidns: 'alidns.aliyuncs.com',
    cloudflare: 'api.cloudflare.com',
    dnsla: 'api.dns.la',
    dnspod: 'dnspod.tencentcloudapi.com',
    godaddy: 'api.godaddy.com',
    google_cloud: 'oauth2.googleapis.com',
    huaweicloud: 'dns.cn-north-4.myhuaweicloud.com',
    route53: 'route53.amazonaws.com',
    volcengine: 'open.volcengineapi.com',
  };
  for (const [code, address] of Object.entries(hosts)) {
    const asked: string[] = [];
    const guard = (name: string): Promise<never> => {
      asked.push(name);
      return Promise.reject(new ProviderProblem('provider_private'));
    };
    const description = dnsProviders[code as DnsProviderCode];
    const params = { ...emptyParams(description), service_account: JSON.stringify(file) };
    const client = providers.dns[code as DnsProviderCode].make(params, { reach: guard });
    await expect(client.zones(), code).rejects.toEqual(problem('provider_private'));
    expect(asked).toEqual([address]);
  }
});

it('a transfer that somebody changed on its way is not taken', async () => {
  const many = Array.from({ length: 2000 }, (_, n) => ({
    name: `forged-${n}.${zone}`,
    type: 'TXT' as const,
    ttl: 60,
    values: [`"${'x'.repeat(40)}"`],
  }));
  await rfc2136({}, reach, long).apply(zone, many);
  const [address = '', port] = long.server.split(':');
  let position = 0;
  /** Of the texts of the second message and those after it. */
  const forge = (chunk: Buffer): Buffer => {
    const at = chunk.indexOf('x'.repeat(40), Math.max(0, 80_000 - position));
    position += chunk.length;
    if (position > 80_000 && at !== -1) chunk[at] = 0x79;
    return chunk;
  };
  const between = createTcpServer((client) => {
    const upstream = connect({ host: address, port: Number(port) });
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('data', (chunk) => client.write(forge(chunk)));
    upstream.on('error', () => client.destroy()).on('close', () => client.end());
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const server = `127.0.0.1:${(between.address() as AddressInfo).port}`;
  await expect(rfc2136({ server }, reach, long).list(zone)).rejects.toEqual(problem('provider_answer'));
  expect(position).toBeGreaterThan(80_000);
  expect(await rfc2136({}, reach, long).list(zone)).toHaveLength(2001);
  await new Promise((resolve) => between.close(resolve));
});

describe('the registry', () => {
  it('has each provider under the family and code of its description', () => {
    for (const [family, kept] of Object.entries(providers)) {
      expect(providerFamilies).toContain(family);
      for (const [code, { description }] of Object.entries(kept))
        expect(description).toMatchObject({ family, code });
    }
  });

  it('describes every parameter for forms, in both languages', () => {
    for (const description of Object.values(dnsProviders)) {
      const names = Object.keys(description.params.shape).filter((name) => !name.endsWith('_set'));
      expect(providerFields(description).map(({ name }) => name)).toEqual(names);
    }
    expect(providerFields(dnsProviders.rfc2136).map(({ name, kind }) => [name, kind])).toEqual([
      ['server', 'text'],
      ['zones', 'list'],
      ['key_name', 'text'],
      ['algorithm', 'select'],
      ['key_secret', 'secret'],
    ]);
  });
});
