import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { siteViolation } from '../../db/schema.ts';

let world: World;
let one: Customer;
let other: Customer;
let own: { id: number; domain: string };
let foreign: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  own = await makeSite(one.api);
  foreign = await makeSite(other.api);
  const row = (site: { id: number; domain: string }, word: string, day: number) => ({
    siteId: site.id,
    host: site.domain,
    requestUri: `/${word}.html`,
    word,
    excerpt: `what says ${word} here`,
    action: word === 'gambling' ? ('blocked' as const) : ('recorded' as const),
    createdAt: new Date(`2026-03-0${day}T23:30:00Z`),
  });
  await world.server.services.db
    .insert(siteViolation)
    .values([
      row(own, 'gambling', 1),
      row(own, 'gambling', 2),
      row(own, 'fraud', 2),
      row(foreign, 'gambling', 4),
    ]);
});
afterAll(() => world.close());

it('are listed newest first, by site, host, word, action and time, each customer their own', async () => {
  const found = async (api: Customer['api'], query: object = {}) =>
    (await api.get('listSiteViolations', { query })).list.map(({ word }) => word);
  expect(await found(world.admin)).toEqual(['gambling', 'fraud', 'gambling', 'gambling']);
  expect(await found(one.api, { action: 'blocked' })).toEqual(['gambling', 'gambling']);
  expect(await found(one.api, { word: 'FRAU' })).toEqual(['fraud']);
  expect(await found(one.api, { host: own.domain.toUpperCase(), end_time: '2026-03-02T00:00:00Z' })).toEqual([
    'gambling',
  ]);
  expect(await found(one.api, { site_id: foreign.id })).toEqual([]);
  expect(await found(world.admin, { client_id: other.id })).toEqual(['gambling']);
});

it('are counted in all, by day, site and word', async () => {
  expect(await world.admin.get('getSiteViolationStats', { query: {} })).toEqual({
    total: 4,
    blocked: 3,
    days: [
      { time: '2026-03-01T00:00:00.000Z', count: 1 },
      { time: '2026-03-02T00:00:00.000Z', count: 2 },
      { time: '2026-03-03T00:00:00.000Z', count: 0 },
      { time: '2026-03-04T00:00:00.000Z', count: 1 },
    ],
    sites: [
      { name: own.domain, count: 3 },
      { name: foreign.domain, count: 1 },
    ],
    words: [
      { name: 'gambling', count: 3 },
      { name: 'fraud', count: 1 },
    ],
  });
  expect(await other.api.get('getSiteViolationStats', { query: {} })).toMatchObject({ total: 1, blocked: 1 });
});

it('a reversed range is refused at its end', async () => {
  const query = { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' };
  for (const name of ['listSiteViolations', 'getSiteViolationStats'] as const)
    expect(await world.admin.call(name, { query })).toMatchObject({
      status: 400,
      errors: [{ path: 'end_time' }],
    });
});
