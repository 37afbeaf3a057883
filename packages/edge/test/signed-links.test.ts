import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const key = 'a-key-of-ours';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const seconds = () => Math.floor(Date.now() / 1000);
const signA = (path: string, time = seconds(), secret = key) =>
  `${time}-r-u-${md5(`${path}-${time}-r-u-${secret}`)}`;
const signC = (path: string, ageSeconds = 0) => {
  const time = (seconds() - ageSeconds).toString(16);
  return `/${md5(key + path + time)}/${time}${path}`;
};
function signB(path: string, ageSeconds = 0): string {
  const china = new Date(Date.now() + (8 * 3600 - ageSeconds) * 1000).toISOString();
  const time = china.slice(0, 16).replaceAll(/\D/g, '');
  return `/${time}/${md5(key + time + path)}${path}`;
}
const signing = { enabled: true, secret: key };

it('a link has to be signed, for its own path and in its time', async () => {
  const host = await world.site({ access: { signing } });
  const asked = world.origin.count();
  expect(await world.status(host, '/a.zip')).toBe(403);
  expect(await world.status(host, `/b.zip?auth_key=${signA('/a.zip')}`)).toBe(403);
  expect(await world.status(host, `/a.zip?auth_key=${signA('/a.zip', seconds(), 'another')}`)).toBe(403);
  expect(await world.status(host, `/a.zip?auth_key=${signA('/a.zip', seconds() - 1802)}`)).toBe(403);
  expect(await world.status(host, `/x/../a.zip?auth_key=${signA('/a.zip')}`)).toBe(403);
  expect(world.origin.count()).toBe(asked);
  expect((await world.edge.get(host, `/a.zip?auth_key=${signA('/a.zip')}`)).body).toBe('asked /a.zip');
  const lines = await world.edge.logLines(6, (line) => line.host === host);
  expect(lines.map(({ decision }) => decision)).toEqual([
    'signing missing',
    'signing bad',
    'signing bad',
    'signing expired',
    'signing bad',
    '',
  ]);
});

it.each([
  ['A', (path: string, age: number) => `${path}?auth_key=${signA(path, seconds() - age)}&a=1`],
  ['B', (path: string, age: number) => `${signB(path, age)}?a=1`],
  ['C', (path: string, age: number) => `${signC(path, age)}?a=1`],
] as const)('of type %s the signature reaches neither the cache nor the origin', async (type, sign) => {
  const host = await world.site({ access: { signing: { ...signing, type } } });
  const first = await world.edge.get(host, sign('/a%20b.zip', 0));
  expect([first.status, first.body, first.headers['x-cache']]).toEqual([200, 'asked /a%20b.zip?a=1', 'MISS']);
  const other = sign('/a%20b.zip', 120);
  const again = await world.edge.get(host, other);
  expect([again.status, again.body, again.headers['x-cache']]).toEqual([200, 'asked /a%20b.zip?a=1', 'HIT']);
});

it('of types A, B and C only the one that is set opens', async () => {
  const host = await world.site({ access: { signing: { ...signing, type: 'C' } } });
  expect(await world.status(host, `/a.zip?auth_key=${signA('/a.zip')}`)).toBe(403);
  expect(await world.status(host, signB('/a.zip'))).toBe(403);
  expect(await world.status(host, signC('/a.zip'))).toBe(200);
});

it('the key before is good still, until it is taken away', async () => {
  const old = () => `/a.zip?auth_key=${signA('/a.zip', seconds(), 'old-key')}`;
  const rotating = await world.site({ access: { signing: { ...signing, previous_secret: 'old-key' } } });
  expect(await world.status(rotating, old())).toBe(200);
  expect(await world.status(rotating, `/a.zip?auth_key=${signA('/a.zip')}`)).toBe(200);
  expect(await world.status(await world.site({ access: { signing } }), old())).toBe(403);
});

it('a folder can be the only one to ask for signatures, however it is written', async () => {
  const host = await world.site({ access: { signing, signed_paths: ['/paid/'] } });
  expect(await world.status(host, '/free')).toBe(200);
  for (const target of ['/paid/x', '/PAID/x', '/%70aid/x', '/free/..%2fpaid/x', '//paid/x'])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 403]);
  expect(await world.status(host, `/paid/x?auth_key=${signA('/paid/x')}`)).toBe(200);
});

it('no signature opens what a rule closes', async () => {
  const rules = [{ action: 'deny' as const, only_paths: ['/admin/'] }];
  const host = await world.site({ access: { rules, signing: { ...signing, type: 'C' } } });
  expect(await world.status(host, signC('/admin/x'))).toBe(403);
  expect(await world.status(host, signC('/ADMIN/x'))).toBe(403);
  expect(await world.status(host, signC('/x'))).toBe(200);
});
