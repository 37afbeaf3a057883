import {
  makeCustomer,
  makeSite,
  saveSetting,
  startWorld,
  trySetting,
  type World,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pruneOldRows } from './retention.service.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const run = async (query: ReturnType<typeof sql>) => (await world.server.services.db.execute(query)).rows;
const idsOf = async (table: string) =>
  (await run(sql`SELECT id FROM ${sql.identifier(table)} ORDER BY id`)).map(({ id }) => Number(id));

/** A task of so many days ago with two parts. */
async function makeTask(status: string, days: number): Promise<number> {
  const [row] = await run(
    sql`WITH t AS (
          INSERT INTO operation (kind, title, subject_kind, subject_id, created_by, state, created_at, finished_at)
          VALUES ('site_update', 'x', 'site', 1, 'x', ${status}, now() - make_interval(days => ${days}),
            CASE WHEN ${status} <> 'pending' THEN now() - make_interval(days => ${days}) END)
          RETURNING id),
        s AS (
          INSERT INTO operation_item (operation_id, node_id, kind, key, revision, state)
          SELECT t.id, (SELECT min(id) FROM node), 'site', k, 1, ${status} FROM t, unnest(ARRAY['1', '2']) k)
        SELECT id FROM t`,
  );
  return Number(row!.id);
}

const makeBatch = async (days: number, finished: boolean): Promise<number> => {
  const [row] = await run(
    sql`WITH b AS (
          INSERT INTO operation (kind, title, subject_kind, created_by, state, created_at, finished_at)
          VALUES ('site_batch', 'x', 'site_batch', 'x', CASE WHEN ${finished} THEN 'done' ELSE 'running' END,
            now() - make_interval(days => ${days}),
            CASE WHEN ${finished} THEN now() - make_interval(days => ${days}) END) RETURNING id),
        s AS (INSERT INTO site_batch (operation_id, kind, input) SELECT id, 'remove', '{"kind":"remove"}' FROM b),
        l AS (INSERT INTO operation_item (operation_id, position, title, kind, state) SELECT id, 1, 'x', 'site', 'done' FROM b)
        SELECT id FROM b`,
  );
  return Number(row!.id);
};

describe('retention', () => {
  it('removes what ended before, and keeps what is under way', async () => {
    const old = await makeTask('done', 40);
    const failed = await makeTask('failed', 40);
    const kept = [await makeTask('pending', 40), await makeTask('done', 20)];
    const oldBatch = await makeBatch(100, true);
    const keptBatches = [await makeBatch(100, false), await makeBatch(80, true)];
    await run(
      sql`INSERT INTO operation_log (request_id, user_type, ip, method, path, status, duration_ms, created_at)
          SELECT 'old', 'admin', '', 'POST', '/', 200, 1, now() - make_interval(days => 181)
          FROM generate_series(1, 2500)`,
    );
    const removed = await pruneOldRows(world.server.services);
    expect(removed).toMatchObject({ operation_log: 2500, task: 2, site_batch: 1 });
    const gone = sql.param([old, failed]);
    expect(await run(sql`SELECT FROM operation_item WHERE operation_id = ANY(${gone}::int[])`)).toEqual([]);
    const tasks = await idsOf('operation');
    expect(tasks).toEqual(expect.arrayContaining(kept));
    expect(tasks).not.toContain(old);
    expect(tasks).not.toContain(failed);
    expect(
      await run(sql`SELECT FROM operation_item WHERE operation_id = ANY(${sql.param(kept)}::int[])`),
    ).toHaveLength(4);
    const batches = (await run(sql`SELECT operation_id FROM site_batch ORDER BY 1`)).map((row) =>
      Number(row['operation_id']),
    );
    expect(batches).toEqual(keptBatches);
    expect(batches).not.toContain(oldBatch);
    expect(await run(sql`SELECT FROM operation_log WHERE request_id = 'old'`)).toEqual([]);
  });

  it('keeps the newest revision of a site, however old it is', async () => {
    const site = await makeSite(world.admin);
    await world.admin.get('updateSiteDomains', {
      params: { id: site.id },
      body: { version: 1, domains: [site.domain, `more.${site.domain}`] },
    });
    await run(sql`UPDATE site_revision SET created_at = now() - make_interval(days => 400)`);
    expect(await pruneOldRows(world.server.services)).toMatchObject({ site_revision: 1 });
    const { list } = await world.admin.get('listSiteRevisions', { params: { id: site.id }, query: {} });
    expect(list.map(({ version }) => version)).toEqual([2]);
  });

  it('goes by the setting, which an owner changes within its bounds', async () => {
    const kept = {
      operation_log_days: 30,
      task_days: 1,
      site_revision_days: 7,
      site_batch_days: 1,
      violation_days: 30,
      event_days: 30,
    };
    expect(await saveSetting(world, 'Retention', kept)).toEqual(kept);
    const short = await makeTask('done', 2);
    await pruneOldRows(world.server.services);
    expect(await idsOf('operation')).not.toContain(short);
    for (const wrong of [{ task_days: 0 }, { operation_log_days: 6 }, { site_batch_days: 3651 }])
      expect((await trySetting(world, 'Retention', { ...kept, ...wrong })).status).toBe(400);
  });

  it('is nothing for customers, or without a session', async () => {
    const customer = await makeCustomer(world);
    expect((await customer.api.call('getRetention', {})).status).toBe(404);
    expect((await world.anonymous.call('getRetention', {})).status).toBe(401);
  });
});

describe('the parts of tasks', () => {
  it('may be more than two thousand million', async () => {
    const [row] = await run(
      sql`INSERT INTO operation_item (id, operation_id, node_id, kind, key, revision) OVERRIDING SYSTEM VALUE
          SELECT 3000000000, max(o.id), (SELECT min(id) FROM node), 'site', '1', 1 FROM operation o RETURNING id`,
    );
    expect(Number(row!.id)).toBe(3_000_000_000);
    const { list } = await world.admin.get('listSubTasks', { query: { page_size: 200 } });
    expect(list.map(({ id }) => id)).toContain(3_000_000_000);
  });
});
