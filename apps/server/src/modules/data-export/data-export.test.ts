import { exportRecordsMax, type DataExport, type DataExportInput } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  startWorld,
  unique,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operation } from '../../db/schema.ts';
import { makeLine, makeLines, toBytes } from '../../logs/test-lines.ts';
import { createDataExport, removeOldDataExports } from './data-export.store.ts';

let world: World;
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const lines = makeLines(2500, new Date(daysAgo(3)), { perMinute: 500 });
const formula = makeLine({
  time: daysAgo(2),
  request_id: 'f'.repeat(32),
  user_agent: '=HYPERLINK("http://evil.example","点我")',
  referer: 'https://例子.example/,"',
  content_type: '\uFF1D1+1',
});

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  const bytes = toBytes([...lines, formula]);
  await world.server.services.logStore.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: bytes });
});
afterAll(() => world.close());

type Input = Partial<Pick<DataExportInput, 'format' | 'count'>> & { filters?: object };
const create = (body: Input) => world.admin.get('createDataExport', { body });
const find = async (id: number): Promise<DataExport | undefined> =>
  (await world.admin.get('listDataExports', { query: { page_size: 200 } })).list.find((row) => row.id === id);
const finished = (id: number) =>
  waitFor(
    `export ${id}`,
    async () => {
      const row = await find(id);
      return row?.status === 'done' && row;
    },
    60,
  );
const download = (id: number) => world.admin.download('downloadDataExport', { params: { id } });

describe('an export of access logs', () => {
  it('has each record that the search finds once, newest first, one JSON object a line', async () => {
    const filters = { client_id: 2, status_code: 200, exclude: 'method=POST' };
    const expected = lines.filter(
      (line) => line.client_id === 2 && line.status === 200 && line.method !== 'POST',
    );
    const { id, records_total } = await create({ format: 'jsonl', filters });
    expect(records_total).toBe(expected.length);
    const row = await finished(id);
    const { name, text: content } = await download(id);
    expect(name).toMatch(/\.jsonl$/);
    const records = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { request_id: string });
    expect(records.map(({ request_id }) => request_id).toSorted()).toEqual(
      expected.map(({ request_id }) => request_id).toSorted(),
    );
    expect(records[0]!.request_id).toBe(expected.at(-1)!.request_id);
    expect(row).toMatchObject({
      records_done: expected.length,
      size_bytes: Buffer.byteLength(content),
      filters: { client_id: 2 },
      created_by: 'admin',
    });
  });

  it('as CSV has a byte order mark and a header, and runs nothing in a spreadsheet', async () => {
    const { id } = await create({ filters: { start_time: daysAgo(2.5) } });
    await finished(id);
    const { text: content, contentType } = await download(id);
    expect(contentType).toContain('text/csv');
    const [head, line, rest] = content.split('\r\n');
    expect(head).toMatch(/^\uFEFFtime,request_id,site_id,/);
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"",""点我"")"`);
    expect(line).toContain(`'\uFF1D1+1`);
    expect(line).toContain('"https://例子.example/,"""');
    expect(rest).toBe('');
  });

  it('stops at the count that was asked for, over several pages', async () => {
    const { id, records_total } = await create({ format: 'jsonl', count: 2100 });
    expect(records_total).toBe(2100);
    await finished(id);
    const { text: content } = await download(id);
    const ids = content
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { request_id: string }).request_id);
    expect(new Set(ids).size).toBe(2100);
    expect(ids[0]).toBe(formula.request_id);
  });

  it('has a record once, whatever nodes ship while it is written', async () => {
    const { services } = world.server;
    const { logStore } = services;
    let pages = 0;
    // Lines of the export's time come between its pages.
    const ownSearch = logStore.search.bind(logStore);
    logStore.search = async (...asked) => {
      const found = await ownSearch(...asked);
      pages += 1;
      const late = makeLines(3, new Date(Date.parse(lines[0]!.time) + 240_000), { seed: 100 + pages });
      await logStore.ingest({ nodeId: 1, file: `late.${pages}`, offset: 0, lines: toBytes(late) });
      return found;
    };
    const filters = { start_time: daysAgo(4), end_time: formula.time };
    const id = await services.db.transaction((tx) =>
      createDataExport(tx, { format: 'jsonl', filters, recordsTotal: 2400, createdBy: 'admin' }),
    );
    await finished(id);
    logStore.search = ownSearch;
    const ids = (await download(id)).text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { request_id: string }).request_id);
    expect(pages).toBeGreaterThan(2);
    expect(ids).toHaveLength(2400);
    expect(new Set(ids).size).toBe(2400);
  });

  it('is refused without records, beyond ten thousand, and for what is no number', async () => {
    const call = (body: object) => world.admin.call('createDataExport', { body: body as Input });
    expect(await call({ filters: { host: 'nobody.example' } })).toMatchObject({ status: 400, code: 40002 });
    for (const count of [exportRecordsMax + 1, 0, -1, 1.5, 'many', null])
      expect(await call({ count })).toMatchObject({ status: 400, errors: [{ path: 'count' }] });
    expect(await call({ filters: { start_time: 'now' } })).toMatchObject({
      status: 400,
      errors: [{ path: 'filters.start_time' }],
    });
    const reversed = { start_time: daysAgo(1), end_time: daysAgo(2) };
    expect(await call({ filters: reversed })).toMatchObject({
      status: 400,
      errors: [{ path: 'filters.end_time', message: 'The start must be before the end' }],
    });
    expect(await call({ filters: { start_time: daysAgo(-1) } })).toMatchObject({
      status: 400,
      errors: [{ path: 'filters.start_time', message: 'The start cannot be in the future' }],
    });
    expect(await call({ format: 'xlsx' })).toMatchObject({ status: 400, errors: [{ path: 'format' }] });
  });

  it.each(['exportRefusedRequests', 'exportAttackStats'] as const)(
    '%s has what a rule refused, and nothing else',
    async (name) => {
      const refused = makeLine({
        time: daysAgo(1),
        request_id: unique('refused'),
        decision: 'access_control 1',
      });
      const bytes = toBytes([refused]);
      await world.server.services.logStore.ingest({ nodeId: 1, file: name, offset: 0, lines: bytes });
      const filters = { request_id: refused.request_id };
      const { id, records_total } = await world.admin.get(name, { body: { format: 'jsonl', filters } });
      expect(records_total).toBe(1);
      await finished(id);
      expect((await download(id)).text).toContain(refused.request_id);
      const none = { filters: { request_id: lines[0]!.request_id } };
      expect(await world.admin.call(name, { body: none })).toMatchObject({ status: 400, code: 40002 });
      const asked = { filters: { ...filters, refused: 'no' } } as object;
      expect(await world.admin.call(name, { body: asked })).toMatchObject({
        status: 400,
        errors: [{ path: 'filters.refused' }],
      });
    },
  );

  it('is started by the call of the log analyzer as well', async () => {
    const { id, records_total } = await world.admin.get('exportAccessLogs', { body: { count: 3 } });
    expect(records_total).toBe(3);
    expect(await finished(id)).toMatchObject({ records_done: 3 });
  });

  it.each(['createDataExport', 'exportAccessLogs', 'exportRefusedRequests', 'exportAttackStats'] as const)(
    '%s is for administrators who may',
    async (name) => {
      const reader = await makeAdministrator(world, ['access_log.read', 'data_export.read']);
      const customer = await makeCustomer(world);
      expect(await world.anonymous.call(name, { body: {} })).toMatchObject({ status: 401 });
      expect(await reader.api.call(name, { body: {} })).toMatchObject({ status: 403 });
      expect((await customer.api.call(name, { body: {} })).status).toBeOneOf([403, 404]);
    },
  );

  it('goes when it is removed, and by itself after a week', async () => {
    const [one, two] = [await create({ count: 1 }), await create({ count: 1 })];
    await finished(one.id);
    await finished(two.id);
    await world.admin.get('removeDataExport', { params: { id: one.id } });
    expect(await world.admin.call('downloadDataExport', { params: { id: one.id } })).toMatchObject({
      status: 404,
    });
    const { db } = world.server.services;
    await db
      .update(operation)
      .set({ createdAt: new Date(daysAgo(8)) })
      .where(eq(operation.id, two.id));
    expect(await removeOldDataExports(db, new Date())).toBe(1);
    expect(await find(two.id)).toBeUndefined();
  });
});
