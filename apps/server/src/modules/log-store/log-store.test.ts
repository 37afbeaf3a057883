import { stat } from 'node:fs/promises';
import { makeNode, startWorld, type World } from '@breakwater/test-world';
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
