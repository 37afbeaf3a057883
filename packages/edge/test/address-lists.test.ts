import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope } from './support.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const realIp = { mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };
const from = (host: string, address: string) => world.status(host, '/', { 'X-Real-IP': address });

it('a list is one document for all sites that name it, and a change of it reaches them at once', async () => {
  const access = { rules: [{ action: 'deny' as const, address_lists: [1] }] };
  const hosts = [await world.site({ realIp, access }), await world.site({ realIp, access })];
  // A list that has not come yet names nobody.
  for (const host of hosts) expect(await from(host, '198.51.100.7')).toBe(200);
  expect(await world.edge.applyList(1, ['198.51.100.0/24', '2001:db8::1-2001:db8::9'])).toMatchObject({
    status: 'applied',
  });
  for (const host of hosts) {
    expect(await from(host, '198.51.100.7')).toBe(403);
    expect(await from(host, '::ffff:198.51.100.7')).toBe(403);
    expect(await from(host, '2001:db8::5')).toBe(403);
    expect(await from(host, '2001:db8::a')).toBe(200);
  }
  await world.edge.applyList(1, ['203.0.113.1']);
  for (const host of hosts) {
    expect(await from(host, '198.51.100.7')).toBe(200);
    expect(await from(host, '203.0.113.1')).toBe(403);
  }
});

it('a list says whose word counts for the address of a visitor, and follows its publisher', async () => {
  const trusting = await world.site({
    realIp: { mode: 'cdn', preset: 'gcore', address_lists: [20] },
    access: { rules: [{ action: 'deny', addresses: ['198.51.100.7'] }] },
  });
  const through = () => world.status(trusting, '/', { 'X-Forwarded-For': '198.51.100.7' });
  expect(await through()).toBe(200);
  await world.edge.applyList(20, ['127.0.0.0/8']);
  expect(await through()).toBe(403);
  await world.edge.applyList(20, ['203.0.113.1']);
  expect(await through()).toBe(200);
});

it('a list of 100,000 networks is found through, at both ends and between', async () => {
  const entries = Array.from(
    { length: 100_000 },
    (_, index) => `10.${Math.floor(index / 4096)}.${Math.floor(index / 16) % 256}.${(index % 16) * 16}/30`,
  );
  expect(await world.edge.applyList(2, entries)).toMatchObject({ status: 'applied' });
  const host = await world.site({ realIp, access: { rules: [{ action: 'deny', address_lists: [2] }] } });
  for (const address of ['10.0.0.0', '10.0.0.3', '10.12.34.33', '10.24.105.243'])
    expect([address, await from(host, address)]).toEqual([address, 403]);
  for (const address of ['9.255.255.255', '10.0.0.4', '10.12.34.36', '10.24.105.244', '10.255.0.1', '::1'])
    expect([address, await from(host, address)]).toEqual([address, 200]);
});

it('a broken list is refused, and what was there stays', async () => {
  await world.edge.applyList(3, ['198.51.100.7']);
  const host = await world.site({ realIp, access: { rules: [{ action: 'deny', address_lists: [3] }] } });
  const bad = [
    { list_id: 3, v4: 'AAAA', v6: '' },
    { list_id: 3, v4: '%%%', v6: '' },
    { list_id: 4, v4: '', v6: '' },
    { list_id: 3, v4: '' },
  ];
  for (const document of bad) {
    const envelope = makeEnvelope('address_list', '3', world.edge.nextRevision(), document);
    const [result] = await world.edge.control<{ status: string }[]>('POST', '/documents', [envelope]);
    expect([document, result!.status]).toEqual([document, 'refused']);
  }
  expect(await from(host, '198.51.100.7')).toBe(403);
});

/** Stretches from these addresses on, of IPv4 only. */
function ipData(stretches: [start: string, place: string][]) {
  const inBase64 = (bytes: number[]) => Buffer.from(bytes).toString('base64');
  return {
    v4: inBase64(stretches.flatMap(([start]) => start.split('.').map(Number))),
    v4_places: inBase64(stretches.flatMap((_, index) => [0, index])),
    v6: inBase64([0, 0, 0, 0, 0, 0, 0, 0]),
    v6_places: inBase64([0, 0]),
    places: stretches.map(([, place]) => place),
  };
}

const put = async (data: unknown) => {
  const envelope = makeEnvelope('ip_data', 'ip', world.edge.nextRevision(), data);
  return (await world.edge.control<{ status: string }[]>('POST', '/documents', [envelope]))[0]!.status;
};

it('countries, provinces and carriers are found in the table of places, once it has come', async () => {
  const host = await world.site({
    realIp,
    access: { rules: [{ action: 'allow', countries: ['CN'], provinces: ['GD'] }], otherwise: 'deny' },
  });
  expect(await from(host, '198.51.100.7')).toBe(403);
  const table = ipData([
    ['0.0.0.0', '- - -'],
    ['198.51.100.0', 'CN GD telecom'],
    ['198.51.101.0', 'CN BJ unicom'],
  ]);
  expect(await put(table)).toBe('applied');
  expect(await from(host, '198.51.100.7')).toBe(200);
  expect(await from(host, '198.51.101.7')).toBe(403);
  expect(await from(host, '2001:db8::1')).toBe(403);
  expect(await put({ ...table, v4_places: 'AAA=' })).toBe('refused');
  expect(await put({ ...table, places: 'CN' })).toBe('refused');
  expect(await from(host, '198.51.100.7')).toBe(200);
});

it('numbers of networks are found in the same document, where it has them', async () => {
  const condition = {
    items: [{ field: 'asn' as const, operator: 'equals' as const, values: ['4200000001'] }],
  };
  const host = await world.site({ realIp, access: { rules: [{ action: 'deny', condition }] } });
  const table = ipData([['0.0.0.0', '- - -']]);
  expect(await put(table)).toBe('applied');
  expect(await from(host, '198.51.100.7')).toBe(200);
  const base64 = (bytes: number[]) => Buffer.from(bytes).toString('base64');
  const asn = {
    v4: base64([0, 0, 0, 0, 198, 51, 100, 0, 198, 51, 101, 0]),
    v4_numbers: base64([0, 0, 0, 0, 250, 86, 234, 1, 0, 0, 52, 23]),
    v6: base64([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0]),
    v6_numbers: base64([250, 86, 234, 1]),
  };
  expect(await put({ ...table, asn })).toBe('applied');
  for (const address of ['198.51.100.0', '198.51.100.255', '2001:db8::1'])
    expect([address, await from(host, address)]).toEqual([address, 403]);
  for (const address of ['198.51.99.255', '198.51.101.0', '::1'])
    expect([address, await from(host, address)]).toEqual([address, 200]);
  expect(await put({ ...table, asn: { ...asn, v4_numbers: 'AAAA' } })).toBe('refused');
  expect(await put({ ...table, asn: 'none' })).toBe('refused');
  expect(await put(table)).toBe('applied');
  expect(await from(host, '198.51.100.7')).toBe(200);
});
