import { cloneDatabase, makeSite, startWorld, type TestDatabase, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isDatabaseAway } from '../api-error.ts';
import { shareConnections } from './connections.ts';
import { openDatabase, type Database } from './database.ts';

describe('a transaction', () => {
  let postgres: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    postgres = await cloneDatabase(inject('templateUrl'));
    database = openDatabase(postgres.url, { connections: 1 });
  });
  afterAll(async () => {
    await database.close();
    await postgres.drop();
  });

  it('gives its connection back, also where it cannot begin', async () => {
    const nonsense = { isolationLevel: 'none' as 'serializable' };
    await expect(database.db.transaction(async () => 1, nonsense)).rejects.toThrow(/isolation level none/);
    expect(await database.db.transaction(async () => 2)).toBe(2);
  }, 5000);

  it('is taken back where its work fails, and the connection is used again', async () => {
    const pid = async () => (await database.db.execute(sql`SELECT pg_backend_pid() AS pid`)).rows[0]!.pid;
    const before = await pid();
    const failing = database.db.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO area (name) VALUES ('taken back')`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.db.execute(sql`SELECT FROM area WHERE name = 'taken back'`)).rows).toEqual([]);
    expect(await pid()).toBe(before);
  });
});

describe('a request that takes too long in the database', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      templateUrl: inject('templateUrl'),
      databaseLimits: { statementSeconds: 3, lockSeconds: 1, idleSeconds: 1 },
    });
  });
  afterAll(() => world.close());
  const sum = (shares: object) =>
    Object.values(shares).reduce((all: number, share: number) => all + share, 0);

  it('waits so long for a row and no longer: 503, and the connection is free again', async () => {
    const site = await makeSite(world.admin);
    const other = openDatabase(world.server.services.database.url);
    try {
      const answer = await other.db.transaction(async (tx) => {
        await tx.execute(sql`SELECT FROM site WHERE id = ${site.id} FOR UPDATE`);
        return world.admin.call('removeSite', { params: { id: site.id } });
      });
      expect(answer).toMatchObject({ status: 503, code: 50_300 });
    } finally {
      await other.close();
    }
    expect((await world.admin.call('removeSite', { params: { id: site.id } })).status).toBe(200);
  });

  it('ends a statement, and a transaction in which nothing is asked', async () => {
    const { db, database } = world.server.services;
    await expect(db.execute(sql`SELECT pg_sleep(10)`)).rejects.toMatchObject({ cause: { code: '57014' } });
    const idle = db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1`);
      await new Promise((resolve) => void setTimeout(resolve, 1500));
      await tx.execute(sql`SELECT 1`);
    });
    await expect(idle).rejects.toSatisfy(isDatabaseAway);
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
    expect(await db.transaction(async () => 1)).toBe(1);
  });

  it('is not ended where no limits are set, as for jobs', async () => {
    const work = openDatabase(world.server.services.database.url, { connections: 1 });
    await work.db.execute(sql`SELECT pg_sleep(3.5)`);
    await work.close();
  });

  it('has as many connections as all parts together are given', () => {
    expect(sum(shareConnections(30, ['admin', 'user', 'node', 'worker']))).toBe(30);
    expect(sum(shareConnections(13, ['admin', 'user', 'node', 'worker']))).toBe(13);
    expect(shareConnections(13, ['admin', 'user', 'node', 'worker']).requests).toBeGreaterThanOrEqual(3);
    expect(shareConnections(12, ['user'])).toMatchObject({ work: 2, listeners: 2 });
  });
});
