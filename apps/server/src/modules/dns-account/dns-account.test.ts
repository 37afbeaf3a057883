import type { DnsAccountInput } from '@breakwater/contract';
import {
  makeCustomer,
  startDnsHost,
  startWorld,
  unique,
  type Customer,
  type DnsHost,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificateOrder, dnsAccount, operationLog } from '../../db/schema.ts';

let world: World;
let host: DnsHost;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  [world, host] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    startDnsHost(['example.com', 'example.org']),
  ]);
  [one, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
});
afterAll(() => Promise.all([world?.close(), host?.close()]));

const byApi = (more: object = {}): DnsAccountInput => ({
  name: unique('dns'),
  provider: 'powerdns',
  params: { url: host.apiUrl, api_key: host.apiKey, server_id: 'localhost', ...more },
});
const byUpdate = (): DnsAccountInput => ({
  name: unique('dns'),
  provider: 'rfc2136',
  params: {
    server: host.server,
    zones: ['example.com'],
    key_name: host.tsig.name,
    algorithm: host.tsig.algorithm,
    key_secret: host.tsig.key,
  },
});
const create = async (body: DnsAccountInput, api = world.admin) =>
  (await api.get('createDnsAccount', { body })).id;
const test = (id: number, api = world.admin) => api.get('testDnsAccount', { params: { id } });

describe('a DNS account', () => {
  it('is found by who may name it: the platform, and a customer beside it', async () => {
    const [customer, stranger] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
    const [platforms, own, others] = [
      await create(byApi()),
      await create(byApi(), customer.api),
      await create(byApi(), stranger.api),
    ];
    const found = async (api: typeof world.admin, usable_by: number | 'platform') => {
      const { list } = await api.get('listDnsAccounts', { query: { usable_by, page_size: 200 } });
      return [platforms, own, others].filter((id) => list.some((row) => row.id === id));
    };
    expect(await found(world.admin, 'platform')).toEqual([platforms]);
    expect(await found(world.admin, customer.id)).toEqual([platforms, own]);
    expect(await found(customer.api, stranger.id)).toEqual([]);
  });

  it('of either provider is tested on the real server', async () => {
    const api = await create(byApi());
    expect(await test(api)).toMatchObject({ ok: true, message: '', zones: ['example.com', 'example.org'] });
    const update = await create(byUpdate());
    expect(await test(update)).toMatchObject({ ok: true, zones: ['example.com'] });
    const row = await world.admin.get('getDnsAccount', { params: { id: update } });
    expect(row).toMatchObject({ provider: 'rfc2136', last_error: '', params: { key_secret_set: true } });
    expect(Date.now() - Date.parse(row.checked_at!)).toBeLessThan(60_000);
  });

  it('that does not work says why, in the reader’s words, and keeps saying it', async () => {
    const id = await create(byApi({ api_key: 'wrong' }));
    expect(await test(id)).toMatchObject({
      ok: false,
      message: 'The provider does not accept the key. Check that it is correct and active (401)',
      zones: [],
    });
    expect(await world.admin.get('getDnsAccount', { params: { id } })).toMatchObject({
      last_error: 'The provider does not accept the key. Check that it is correct and active (401)',
    });
  });

  it('reads a record set of the host', async () => {
    const id = await create(byUpdate());
    const query = { zone: 'example.com', name: 'example.com', type: 'NS' } as const;
    expect(await world.admin.get('readDnsRecords', { params: { id }, query })).toEqual({
      record_set: { name: 'example.com', type: 'NS', ttl: 60, values: ['ns.example.com.'] },
    });
    expect(
      await world.admin.get('readDnsRecords', {
        params: { id },
        query: { ...query, name: 'none.example.com' },
      }),
    ).toEqual({ record_set: null });
    const elsewhere = { ...query, zone: 'example.net', name: 'example.net' };
    expect(await world.admin.call('readDnsRecords', { params: { id }, query: elsewhere })).toMatchObject({
      status: 400,
      errors: [{ path: 'zone', message: 'The account has no such zone' }],
    });
  });

  it('lists its zones, searched and page by page', async () => {
    const id = await create(byApi());
    const list = (query: object) => world.admin.get('listDnsZones', { params: { id }, query });
    expect(await list({})).toMatchObject({
      total: 2,
      list: [{ name: 'example.com' }, { name: 'example.org' }],
    });
    expect(await list({ name: '.ORG' })).toMatchObject({ total: 1, list: [{ name: 'example.org' }] });
    expect(await list({ page_size: 1, current_page: 2 })).toMatchObject({
      total: 2,
      list: [{ name: 'example.org' }],
    });
    const broken = await create(byApi({ api_key: 'wrong' }));
    expect(await world.admin.call('listDnsZones', { params: { id: broken }, query: {} })).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('The provider does not accept the key') as string }],
    });
  });

  it('of a vendor has the parameters of that vendor, and those alone', async () => {
    const name = unique('dns');
    const id = await create({
      name,
      provider: 'route53',
      params: { access_key_id: 'AKIA', secret_access_key: 'aws-secret', endpoint: 'route53.amazonaws.com' },
    });
    const answer = await world.admin.get('getDnsAccount', { params: { id } });
    expect(answer.params).toEqual({
      access_key_id: 'AKIA',
      secret_access_key_set: true,
      endpoint: 'route53.amazonaws.com',
    });
    const { db } = world.server.services;
    const [row] = await db.select().from(dnsAccount).where(eq(dnsAccount.id, id));
    expect(JSON.stringify(row)).not.toContain('aws-secret');
    // Another company stands behind the other endpoint: it is not told the secret of the first.
    const params = { access_key_id: 'AKIA', endpoint: 'route53.amazonaws.com.cn' as const };
    const elsewhere = await world.admin.call('updateDnsAccount', {
      params: { id },
      body: { version: 1, value: { name, provider: 'route53', params } },
    });
    expect(elsewhere).toMatchObject({ status: 400, errors: [{ path: 'value.params.secret_access_key' }] });
  });

  it('is stored sealed, and its secret is in no answer and no log', async () => {
    const id = await create(byApi());
    const { db, secrets } = world.server.services;
    const [row] = await db.select().from(dnsAccount).where(eq(dnsAccount.id, id));
    expect(JSON.stringify(row)).not.toContain(host.apiKey);
    expect(secrets.decrypt(String(row!.params['api_key']))).toBe(host.apiKey);
    const answer = await world.admin.get('getDnsAccount', { params: { id } });
    expect(JSON.stringify(answer)).not.toContain(host.apiKey);
    expect(answer.params).toEqual({ url: host.apiUrl, server_id: 'localhost', api_key_set: true });
    expect(JSON.stringify(await db.select().from(operationLog))).not.toContain(host.apiKey);
  });

  it('keeps its secret when it is saved without one, but not for another server', async () => {
    const input = byApi();
    const id = await create(input);
    const params = { url: host.apiUrl, server_id: 'localhost' };
    const save = (version: number, value: object) =>
      world.admin.call('updateDnsAccount', {
        params: { id },
        body: { version, value: value as DnsAccountInput },
      });
    expect((await save(1, { ...input, name: unique('renamed'), params })).data).toEqual({ version: 2 });
    expect((await test(id)).ok).toBe(true);
    expect(await save(2, { ...input, params: { ...params, url: 'http://127.0.0.1:9' } })).toMatchObject({
      status: 400,
      errors: [{ path: 'value.params.api_key', message: 'The server was changed. Enter the secret again' }],
    });
    // Another provider knows nothing of the secret of the first.
    const { params: dns } = byUpdate();
    const { key_secret: _, ...withoutKey } = dns as Extract<
      DnsAccountInput,
      { provider: 'rfc2136' }
    >['params'];
    expect(await save(2, { ...byUpdate(), params: withoutKey })).toMatchObject({
      errors: [{ path: 'value.params.key_secret' }],
    });
    expect((await save(2, { ...input, params: { ...dns } })).status).toBe(400);
  });

  it('is not saved over what somebody else saved', async () => {
    const input = byApi();
    const id = await create(input);
    const save = (version: number) =>
      world.admin.call('updateDnsAccount', { params: { id }, body: { version, value: input } });
    const answers = await Promise.all([save(1), save(1), save(1)]);
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 40_901, 40_901]);
    expect(await world.admin.get('getDnsAccount', { params: { id } })).toMatchObject({
      version: 2,
      checked_at: null,
    });
  });

  it('has each error at its field', async () => {
    const wrong: [object, string][] = [
      [{ ...byApi(), params: { url: 'ftp://x', api_key: 'x' } }, 'params.url'],
      [{ ...byApi(), params: { url: host.apiUrl } }, 'params.api_key'],
      [{ ...byApi(), name: '' }, 'name'],
      [{ ...byUpdate(), params: { ...byUpdate().params, zones: ['not a name'] } }, 'params.zones.0'],
      [{ ...byUpdate(), params: { ...byUpdate().params, key_secret: 'no base64!' } }, 'params.key_secret'],
      [{ ...byApi(), provider: 'nobody' }, 'provider'],
      [{ name: 'x', provider: 'cloudflare', params: { api_token: 'two words' } }, 'params.api_token'],
      [{ name: 'x', provider: 'cloudflare', params: {} }, 'params.api_token'],
      [{ name: 'x', provider: 'google_cloud', params: { service_account: '{}' } }, 'params.service_account'],
      [{ name: 'x', provider: 'dnsla', params: { api_id: 'x', api_secret: 'y', url: 'z' } }, 'params.url'],
      [
        {
          name: 'x',
          provider: 'alidns',
          params: { access_key_id: 'x', access_key_secret: 'y', endpoint: 'evil' },
        },
        'params.endpoint',
      ],
    ];
    for (const [body, path] of wrong) {
      const answer = await world.admin.call('createDnsAccount', { body: body as DnsAccountInput });
      expect(answer, path).toMatchObject({ status: 400, errors: [{ path }] });
    }
    const name = unique('twice');
    await create({ ...byApi(), name });
    expect(await world.admin.call('createDnsAccount', { body: { ...byApi(), name } })).toMatchObject({
      errors: [{ path: 'name', message: 'This name is taken' }],
    });
  });
});

it('an account that is used says by whom, and stays', async () => {
  const customer = await makeCustomer(world);
  const id = await create(byApi(), customer.api);
  const { db } = world.server.services;
  const names = ['b.example.com', 'a.example.com'];
  await db.insert(certificateOrder).values(
    names.map((name) => ({
      clientId: customer.id,
      name,
      domains: [name],
      challenge: 'dns-01' as const,
      dnsAccountId: id,
      reuseKey: false,
    })),
  );
  const account = await customer.api.get('getDnsAccount', { params: { id } });
  expect(account).toMatchObject({ order_count: 2, orders: names.toSorted() });
  expect((await customer.api.get('listDnsAccounts', { query: {} })).list[0]).toEqual(account);
  expect(await customer.api.call('removeDnsAccount', { params: { id } })).toMatchObject({ status: 409 });
  await db.delete(certificateOrder).where(eq(certificateOrder.dnsAccountId, id));
  expect(await customer.api.get('getDnsAccount', { params: { id } })).toMatchObject({
    order_count: 0,
    orders: [],
  });
  expect((await customer.api.call('removeDnsAccount', { params: { id } })).status).toBe(200);
});

describe('who may', () => {
  it('a customer has accounts of their own, and those of nobody else', async () => {
    const id = await create(byApi(), one.api);
    const platform = await create(byApi());
    expect((await one.api.get('listDnsAccounts', { query: {} })).list.map((row) => row.id)).toEqual([id]);
    expect((await other.api.get('listDnsAccounts', { query: { client_id: one.id } })).total).toBe(0);
    const query = { zone: 'example.com', name: 'example.com', type: 'NS' } as const;
    for (const [api, of] of [
      [other.api, id],
      [one.api, platform],
    ] as const) {
      const params = { id: of };
      for (const answer of [
        await api.call('getDnsAccount', { params }),
        await api.call('updateDnsAccount', { params, body: { version: 1, value: byApi() } }),
        await api.call('testDnsAccount', { params }),
        await api.call('listDnsZones', { params, query: {} }),
        await api.call('readDnsRecords', { params, query }),
        await api.call('removeDnsAccount', { params }),
      ])
        expect(answer).toMatchObject({ status: 404 });
    }
    const [seen] = (await world.admin.get('listDnsAccounts', { query: { client_id: one.id } })).list;
    expect(seen).toMatchObject({ id, client_id: one.id });
    await one.api.get('removeDnsAccount', { params: { id } });
    expect((await one.api.get('listDnsAccounts', { query: {} })).total).toBe(0);
  });

  it('nobody without a session', async () => {
    for (const api of [world.anonymous, world.anonymousUser])
      expect(await api.call('createDnsAccount', { body: byApi() })).toMatchObject({ status: 401 });
  });
});
