import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let customer: Customer;
let other: Customer;
let site: { id: number };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [customer, other] = [await makeCustomer(world), await makeCustomer(world)];
  site = await makeSite(customer.api);
});
afterAll(() => world.close());

const params = () => ({ id: site.id });
const rule = (path: string) => ({
  action: 'block' as const,
  condition: { items: [{ field: 'path' as const, operator: 'equals' as const, values: [path] }] },
});

/** In service since so many hours. */
async function save(rules: object[], hours: number): Promise<void> {
  const { version } = await customer.api.get('getMatcherRule', { params: params() });
  const body = { version, value: { rules } as never };
  const saved = await customer.api.get('updateMatcherRule', { params: params(), body });
  await world.server.services.db.execute(
    sql`UPDATE site_revision SET created_at = now() - make_interval(hours => ${hours})
        WHERE site_id = ${site.id} AND version = ${saved.version}`,
  );
}

let offset = 0;
async function log(waf: string, hours: number, siteId = site.id, of = customer): Promise<void> {
  const { order_id, client_id } = await of.api.get('getSite', { params: { id: siteId } });
  const line = makeLine({
    time: new Date(Date.now() - hours * 3_600_000).toISOString(),
    request_id: String(offset).padStart(32, '0'),
    site_id: siteId,
    order_id,
    client_id,
    waf,
  });
  const lines = toBytes([line]);
  await world.server.services.logStore.ingest({ nodeId: 1, file: 'access.1', offset, lines });
  offset += lines.length;
}
const params0 = () => ({ params: params() });

it('are for who may see the site', async () => {
  expect(await world.anonymous.call('getMatcherRuleHits', params0())).toMatchObject({ status: 401 });
  expect(await other.api.call('getMatcherRuleHits', params0())).toMatchObject({ status: 404 });
  expect(await customer.api.get('getMatcherRuleHits', params0())).toEqual({ list: [] });
});

it('follow a rule to another place, and leave out what is gone', async () => {
  await world.server.services.db.execute(
    sql`UPDATE site_revision SET created_at = now() - interval '30 days' WHERE site_id = ${site.id}`,
  );
  await save([rule('/a'), rule('/b')], 100);
  await save([rule('/new'), rule('/b'), rule('/a')], 2);
  await log('matcher_rule 1=block', 90);
  await log('matcher_rule 1=observe; matcher_rule 2=block', 30);
  await log('matcher_rule 1=block', 20);
  await log('matcher_rule 1=block; matcher_rule global 3=block', 1);
  await log('matcher_rule 3=block; used_system_rule sql=block', 1);
  await log('matcher_rule 1=block', 400);
  expect(await customer.api.get('getMatcherRuleHits', params0())).toEqual({
    list: [
      { place: 0, day: 1, week: 1 },
      { place: 1, day: 0, week: 1 },
      { place: 2, day: 2, week: 4 },
    ],
  });
});

it('count rules of a level at the sites that it is for, and follow them too', async () => {
  const elsewhere = await makeSite(other.api);
  const db = world.server.services.db;
  const [{ product_id: product }] = (
    await db.execute<{ product_id: number }>(
      sql`SELECT product_id FROM "order" o JOIN site s ON s.order_id = o.id WHERE s.id = ${site.id}`,
    )
  ).rows as [{ product_id: number }];
  const levels = [
    { level: 'global' as const, target_id: 0 },
    { level: 'client' as const, target_id: customer.id },
    { level: 'product' as const, target_id: product },
  ];
  const put = async (ref: (typeof levels)[number], rules: object[]) => {
    const query = { ...ref, section: 'matcher_rule' as const };
    const { version } = await world.admin.get('getSiteLevelSection', { query });
    await world.admin.get('updateSiteLevelSection', {
      query,
      body: { version, value: { rules }, own: ['rules'] } as never,
    });
  };
  for (const ref of levels) await put(ref, [rule('/a'), rule('/b')]);
  await db.execute(sql`UPDATE site_level_revision SET created_at = now() - interval '30 days'`);
  await log('matcher_rule global 1=block', 20);
  await log('matcher_rule client 2=block; matcher_rule product 1=observe', 40);
  await log('matcher_rule global 2=block', 3, elsewhere.id, other);
  await log('matcher_rule client 1=block', 3, elsewhere.id, other);
  for (const ref of levels) await put(ref, [rule('/b'), rule('/a')]);
  const hits = async (ref: (typeof levels)[number]) =>
    (await world.admin.get('getSiteLevelRuleHits', { query: ref })).list;
  expect(await hits(levels[0]!)).toEqual([
    { place: 0, day: 1, week: 1 },
    { place: 1, day: 1, week: 1 },
  ]);
  expect(await hits(levels[1]!)).toEqual([{ place: 0, day: 0, week: 1 }]);
  expect(await hits(levels[2]!)).toEqual([{ place: 1, day: 0, week: 1 }]);
  expect(await hits({ level: 'client', target_id: 999_999 })).toEqual([]);
  const query = { query: levels[0]! };
  expect(await world.anonymous.call('getSiteLevelRuleHits', query)).toMatchObject({ status: 401 });
  expect((await customer.api.call('getSiteLevelRuleHits', query)).status).not.toBe(200);
});
