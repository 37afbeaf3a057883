import { stat } from 'node:fs/promises';
import {
  makeAdministrator,
  makeCustomer,
  makeNode,
  readSetting,
  saveSetting,
  startWorld,
  trySetting,
  type World,
} from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const node = await makeNode(world, { ip: '192.0.2.79' });
  const at = (time: string, count: number) => Array.from({ length: count }, () => makeLine({ time }));
  const lines = [...at('2026-03-01T10:00:00.000Z', 5), ...at('2026-03-03T10:00:00.000Z', 7)];
  const batch = { nodeId: node.id, file: 'access.1', offset: 0, lines: toBytes(lines) };
  await world.server.services.logStore.ingest(batch);
});
afterAll(() => world.close());

describe('the log store', () => {
  it('says what it is, what it holds and what room is left', async () => {
    const info = await world.admin.get('getLogStoreInfo', {});
    expect(info).toMatchObject({
      engine: 'duckdb',
      records: 12,
      broken_lines: 0,
      nodes: 1,
      oldest: '2026-03-01T10:00:00.000Z',
      newest: '2026-03-03T10:00:00.000Z',
    });
    expect(info.version).toMatch(/^v\d/);
    expect(info.bytes).toBeGreaterThan(0);
    expect(info.disk_free).toBeGreaterThan(0);
    expect(info.disk_total).toBeGreaterThan(info.disk_free);
  });

  it('lists days of records, the newest first, and the tables of sums', async () => {
    const { list, total } = await world.admin.get('listLogIndices', { query: { page_size: 100 } });
    expect(total).toBe(list.length);
    expect(
      list.filter(({ kind }) => kind === 'records').map(({ name, rows, begins }) => [name, rows, begins]),
    ).toEqual([
      ['2026-03-03', 7, '2026-03-03T00:00:00.000Z'],
      ['2026-03-01', 5, '2026-03-01T00:00:00.000Z'],
    ]);
    expect(list.find(({ name }) => name === 'total_hour')).toMatchObject({ kind: 'figures', rows: 2 });
    const figures = await world.admin.get('listLogIndices', {
      query: { kind: 'figures', page_size: 2, current_page: 2 },
    });
    expect(figures.list).toHaveLength(2);
    expect(figures.list.every(({ kind }) => kind === 'figures')).toBe(true);
  });

  it('is tested by reading and writing', async () => {
    const connection = await world.admin.get('getLogStoreConnection', {});
    expect(connection).toMatchObject({
      embedded: true,
      address: expect.stringContaining('logs.duckdb'),
      signed_in: false,
    });
    const written = async () => (await stat(`${connection.address}.wal`)).size;
    const before = await written();
    expect(await world.admin.get('testLogStore', {})).toMatchObject({ ok: true, message: '' });
    expect(await written()).toBeGreaterThan(before);
  });
});

describe('the policy of the log store', () => {
  it('says the phases of what is kept, and when the oldest goes', async () => {
    const { lifecycle } = await world.admin.get('getLogPolicy', {});
    expect(lifecycle?.foreign_policies).toEqual([]);
    expect(lifecycle?.data).toMatchObject([
      {
        kind: 'records',
        phases: [{ name: 'hot' }, { name: 'delete', min_age_seconds: 30 * 86_400 }],
        oldest: '2026-03-01T10:00:00.000Z',
        next_deletion: '2026-03-31T10:00:00.000Z',
      },
      { kind: 'figures', phases: [{ name: 'hot' }, { name: 'merged' }, { name: 'delete' }] },
    ]);
  });

  it('is changed on top of its version, and the phases follow', async () => {
    expect(await saveSetting(world, 'LogPolicy', { record_days: 7, rollup_days: 60 })).toEqual({
      record_days: 7,
      rollup_days: 60,
    });
    const { version, lifecycle } = await world.admin.get('getLogPolicy', {});
    expect(lifecycle?.data.map(({ phases }) => phases.at(-1)?.min_age_seconds)).toEqual([
      7 * 86_400,
      60 * 86_400,
    ]);
    const value = { record_days: 8, rollup_days: 60 };
    const stale = await world.admin.call('updateLogPolicy', { body: { version: version - 1, value } });
    expect(stale).toMatchObject({ status: 409, code: 40901 });
    const wrong = await trySetting(world, 'LogPolicy', { record_days: 0, rollup_days: 3651 });
    expect(wrong.status).toBe(400);
    expect(wrong.errors?.map(({ path }) => path)).toEqual(['value.record_days', 'value.rollup_days']);
    expect(await readSetting(world, 'LogPolicy')).toEqual({ record_days: 7, rollup_days: 60 });
  });

  it('is for who may read the log store, changed by who may change it, and for nobody else', async () => {
    const reader = await makeAdministrator(world, ['log_store.read']);
    const { version, value } = await reader.api.get('getLogPolicy', {});
    expect((await reader.api.call('updateLogPolicy', { body: { version, value } })).status).toBe(403);
    const other = await makeAdministrator(world, ['site.read']);
    expect((await other.api.call('getLogPolicy', {})).status).toBe(403);
    const customer = await makeCustomer(world);
    expect((await customer.api.call('getLogPolicy', {})).status).toBe(404);
    expect((await world.anonymous.call('getLogPolicy', {})).status).toBe(401);
  });

  it('is read and changed while the store is away', async () => {
    const [port] = await freePorts(1);
    const logStoreUrl = `http://127.0.0.1:${String(port)}`;
    const away = await startWorld({ templateUrl: inject('templateUrl'), logStoreUrl });
    try {
      const kept = { record_days: 5, rollup_days: 50 };
      await saveSetting(away, 'LogPolicy', kept);
      expect(await away.admin.get('getLogPolicy', {})).toMatchObject({ value: kept, lifecycle: null });
    } finally {
      await away.close();
    }
  });
});
