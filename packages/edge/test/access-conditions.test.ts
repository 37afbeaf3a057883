import { condition } from '@breakwater/contract/condition';
import type { AccessRule } from '@breakwater/contract/site-config/access-control';
import { parseCondition } from '@breakwater/policy/conditions/parse';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, makeSite } from './support.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const when = (text: string) => condition.parse(parseCondition(text).condition);
const realIp = { mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };
const from = (host: string, address: string, path = '/') =>
  world.status(host, path, { 'X-Real-IP': address });
const access = (action: AccessRule['action'], text: string) => ({
  rules: [{ action, condition: when(text) }],
  otherwise: action === 'allow' ? ('deny' as const) : ('allow' as const),
});

it('a rule of access asks its condition', async () => {
  const text = 'header.x-key equals "b" and not (method equals "GET" or argument.open exists)';
  const host = await world.site({ access: access('deny', text) });
  const post = (path: string, headers = {}) => world.edge.get(host, path, { method: 'POST', headers });
  expect((await post('/', { 'x-key': 'b' })).status).toBe(403);
  expect((await post('/?open=1', { 'x-key': 'b' })).status).toBe(200);
  expect((await post('/', { 'x-key': 'c' })).status).toBe(200);
  expect(await world.status(host, '/', { 'x-key': 'b' })).toBe(200);
});

it('what it asks of the path closes however the path is written', async () => {
  const host = await world.site({ access: access('deny', 'path starts_with "/Admin/"') });
  for (const target of [
    '/Admin/x',
    '/admin/x',
    '/%61dmin/x',
    '/%2561dmin/x',
    '/a/..%2fadmin/x',
    '/a/%2e%2e/admin/x',
    '/a/..%252fadmin/x',
    '//admin//x',
    '/%c1%81dmin/x',
    '/admin;a/x',
    '/x/..\\admin\\x',
  ])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 403]);
  expect(await world.rawStatus(host, '/administrators')).toBe(200);
});

it('and opens only where every reading of the path leads there', async () => {
  const host = await world.site({ access: access('allow', 'path starts_with "/public/"') });
  expect(await world.rawStatus(host, '/public/a%20b')).toBe(200);
  for (const target of ['/public/..%2fx', '/public/..%252fx', '/public/%c0%ae%c0%ae/x', '/Public/x'])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 403]);
});

it('what cannot be decided closes', async () => {
  const text = 'header.x-long regex "^.*a.*a.*a.*a.*a.*b$"';
  const long = { 'x-long': 'a'.repeat(4000) };
  const refusing = await world.site({ access: access('deny', text) });
  const opening = await world.site({ access: access('allow', text) });
  expect(await world.status(refusing, '/', long)).toBe(403);
  expect(await world.status(opening, '/', long)).toBe(403);
  expect(await world.status(refusing, '/', { 'x-long': 'c' })).toBe(200);
});

it('lists are asked by conditions, of the visitor that the site takes', async () => {
  const host = await world.site({ realIp, access: access('deny', 'address_list in ["71", "72"]') });
  expect(await from(host, '198.51.100.7')).toBe(200);
  await world.edge.applyList(72, ['198.51.100.0/24', '2001:db8::/32']);
  expect(await from(host, '198.51.100.7')).toBe(403);
  expect(await from(host, '2001:db8::7')).toBe(403);
  expect(await from(host, '203.0.113.7')).toBe(200);
});

it('places are asked by conditions, once the table has come', async () => {
  const host = await world.site({
    realIp,
    access: access('allow', 'country equals "CN" and not (province equals "GD" or carrier equals "unicom")'),
  });
  expect(await from(host, '1.0.0.9')).toBe(403);
  const inBase64 = (bytes: number[]) => Buffer.from(bytes).toString('base64');
  const starts = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0];
  const data = {
    v4: inBase64(starts),
    v4_places: inBase64([0, 0, 0, 1, 0, 2, 0, 3, 0, 4]),
    v6: inBase64([0, 0, 0, 0, 0, 0, 0, 0]),
    v6_places: inBase64([0, 0]),
    places: ['- - -', 'CN FJ telecom', 'CN GD telecom', 'CN FJ unicom', 'US - -'],
  };
  const envelope = makeEnvelope('ip_data', 'ip', world.edge.nextRevision(), data);
  expect(await world.edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'applied' }]);
  expect(await from(host, '1.0.0.9')).toBe(200);
  for (const address of ['2.0.0.9', '3.0.0.9', '4.0.0.9', '0.0.0.9', '::1'])
    expect([address, await from(host, address)]).toEqual([address, 403]);
});

it('a condition that no edge can ask is refused with its document', async () => {
  const site = makeSite({
    id: 900,
    domains: ['refused.test'],
    origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
    access: access('deny', 'path regex "a"'),
  });
  site.access_control!.rules[0]!.condition!.items = [
    { field: 'path', operator: 'regex', values: ['('], negated: false, ignore_case: false },
  ];
  expect(await world.edge.applySites(site)).toMatchObject([
    { status: 'refused', error: expect.stringContaining('access_control.rules.0.condition') as string },
  ]);
});
