import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const realIp = { mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };
const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const access = {
  rules: [
    {
      action: 'allow' as const,
      condition: { items: [{ field: 'verified_robot' as const, operator: 'exists' as const }] },
    },
  ],
  otherwise: 'deny' as const,
};
const from = (host: string, address: string) =>
  world.status(host, '/', { 'X-Real-IP': address, 'User-Agent': agent });
const asked = async (max = 10_000) => {
  const { addresses } = await world.edge.control<{ addresses: string }>('POST', '/robots/asked', { max });
  return addresses === '' ? [] : addresses.split(' ');
};
const put = (address: string, robot: string, seconds: number) =>
  world.edge.control('PUT', '/robots', { verdicts: [{ address, robot, seconds }] });

it('an address is asked about once, by a robot’s name only, and never more than a thousand at a time', async () => {
  const host = await world.site({ realIp, access });
  await world.status(host, '/', { 'X-Real-IP': '192.0.2.1', 'User-Agent': 'Mozilla/5.0' });
  for (let round = 0; round < 3; round++) await from(host, '192.0.2.2');
  expect(await asked()).toEqual(['192.0.2.2']);
  for (let index = 1; index <= 1100; index++) await from(host, `2001:db8::${index.toString(16)}`);
  const first = await asked(10);
  expect(first[0]).toBe('2001:db8::1');
  expect((await asked()).length).toBe(990);
  // Who found no room is asked about at the next request.
  await from(host, '2001:db8::44c');
  expect(await asked()).toEqual(['2001:db8::44c']);
});

it('a proof that will soon be over is renewed while it still counts', async () => {
  const host = await world.site({ realIp, access });
  await put('192.0.2.7', 'google', 86_400);
  expect(await from(host, '192.0.2.7')).toBe(200);
  expect(await asked()).toEqual([]);
  await put('192.0.2.7', 'google', 3600);
  expect(await from(host, '192.0.2.7')).toBe(200);
  expect(await asked()).toEqual(['192.0.2.7']);
  await put('192.0.2.7', 'none', 3600);
  expect(await from(host, '192.0.2.7')).toBe(403);
});
