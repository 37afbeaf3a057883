import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogClaim, LogGapError, type LogStore, LogStoreBusyError } from './log-store.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore } from './test-store.ts';
import { LogBatchError, unpackBatch } from './unpack-batch.ts';

const start = new Date('2026-03-01T10:00:00Z');
const all = { clients: 'all' } as const;
const firstPage = { current_page: 1, page_size: 10 };
let folder: string;
let store: LogStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder });
});
afterEach(async () => {
  await store.close();
  await removeTestStore(folder);
});

const ingest = (lines: Buffer, offset = 0, file = 'access.1') =>
  store.ingest({ nodeId: 1, file, offset, lines });

test('a batch is stored once, and what is stored reads as it was written', async () => {
  const lines = makeLines(50, start);
  const bytes = toBytes(lines);
  expect(await store.position(1, 'access.1')).toBe(0);
  expect(await ingest(bytes)).toEqual({ offset: bytes.length, stored: 50, broken: 0, foreign: 0 });
  expect(await ingest(bytes)).toEqual({ offset: bytes.length, stored: 0, broken: 0, foreign: 0 });
  expect(await store.position(1, 'access.1')).toBe(bytes.length);
  const { list, total } = await store.search(all, { time_sort: 'asc' }, { current_page: 1, page_size: 200 });
  expect(total).toBe(50);
  expect(list).toEqual(
    lines.map((line) => ({ node_id: 1, country: '', province: '', carrier: '', asn: 0, ...line })),
  );
});

test('a batch that overlaps what is stored adds only the rest', async () => {
  const bytes = toBytes(makeLines(40, start));
  const middle = bytes.indexOf(10, bytes.length / 2) + 1;
  await ingest(bytes.subarray(0, middle));
  const { stored, offset } = await ingest(bytes);
  expect(offset).toBe(bytes.length);
  expect(stored).toBeLessThan(40);
  expect((await store.stats()).records).toBe(40);
  // And one that starts in the middle of what is stored.
  expect(await ingest(bytes.subarray(100), 100)).toEqual({
    offset: bytes.length,
    stored: 0,
    broken: 0,
    foreign: 0,
  });
});

test('a gap is refused with the offset to ship from, for a file never seen as well', async () => {
  const bytes = toBytes(makeLines(3, start));
  await expect(ingest(bytes, 1)).rejects.toMatchObject({ expectedOffset: 0 });
  await ingest(bytes);
  const error = await ingest(bytes, bytes.length + 1).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(LogGapError);
  expect(error).toMatchObject({ expectedOffset: bytes.length });
  expect(await store.position(1, 'access.1')).toBe(bytes.length);
});

test('files and nodes have positions of their own', async () => {
  const bytes = toBytes(makeLines(3, start));
  await ingest(bytes);
  await ingest(bytes, 0, 'access.2');
  await store.ingest({ nodeId: 2, file: 'access.1', offset: 0, lines: bytes });
  expect((await store.stats()).records).toBe(9);
  expect((await store.search(all, { node_id: 2 }, firstPage)).total).toBe(3);
});

test('an incomplete last line waits for its rest', async () => {
  const bytes = toBytes(makeLines(2, start));
  const { offset, stored } = await ingest(bytes.subarray(0, bytes.length - 5));
  expect(stored).toBe(1);
  expect(offset).toBe(bytes.indexOf(10) + 1);
  expect(await ingest(bytes.subarray(offset, bytes.length - 1), offset)).toEqual({
    offset,
    stored: 0,
    broken: 0,
    foreign: 0,
  });
  expect(await ingest(bytes.subarray(offset), offset)).toEqual({
    offset: bytes.length,
    stored: 1,
    broken: 0,
    foreign: 0,
  });
});

test('lines that are not the node’s to tell are counted apart, and passed over', async () => {
  const own = [makeLine(), makeLine({ request_id: 'a'.repeat(32) })];
  const others = [makeLine({ site_id: 2 }), makeLine({ client_id: 3 }), makeLine({ order_id: 4 })];
  const bytes = toBytes([...own, ...others]);
  const asked: unknown[] = [];
  const foreign = async (claims: readonly LogClaim[]) => {
    asked.push(...claims);
    return claims.filter((claim) => Math.max(claim.site_id, claim.client_id, claim.order_id) > 1);
  };
  const result = await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: bytes, foreign });
  expect(result).toEqual({ offset: bytes.length, stored: 2, broken: 0, foreign: 3 });
  expect(asked).toHaveLength(4);
  expect(asked).toContainEqual({ site_id: 1, client_id: 3, order_id: 1 });
  expect(await store.stats()).toMatchObject({ records: 2, brokenLines: 0 });
});

test('broken lines are counted and passed over, whatever they hold', async () => {
  const good = makeLine();
  const text = (fields: object) => JSON.stringify({ ...good, ...fields });
  const { status: _, ...withoutStatus } = good;
  const broken = [
    '{"time":',
    '',
    'null',
    '[1,2]',
    '\0\0\0',
    `${JSON.stringify(good)} and more`,
    '['.repeat(50_000),
    JSON.stringify(withoutStatus),
    text({ status: 'ok' }),
    text({ status: 99_999 }),
    text({ bytes_sent: -1 }),
    text({ bytes_sent: 1e18 }),
    text({ request_time: null }),
    text({ time: 'yesterday' }),
    text({ time: '2026-03-01T10:00:00+08:00' }),
    text({ time: '9999-01-01T00:00:00Z' }),
    `{"request_time":1e400,${JSON.stringify(good).slice(1).replace('"request_time":0.002,', '')}`,
  ];
  const lines = broken.flatMap((line) => [line, JSON.stringify(good)]);
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  expect(await ingest(bytes)).toEqual({
    offset: bytes.length,
    stored: broken.length,
    broken: broken.length,
    foreign: 0,
  });
  expect(await store.stats()).toMatchObject({ records: broken.length, brokenLines: broken.length });
});

test('bytes that are not UTF-8 and control characters do not hide a line', async () => {
  const bytes = toBytes([makeLine({ user_agent: 'agent~', request_uri: '/a\u0000b\n"' })]);
  bytes[bytes.indexOf('~')] = 0xff;
  expect(await ingest(bytes)).toMatchObject({ offset: bytes.length, stored: 1, broken: 0 });
  const { list } = await store.search(all, {}, firstPage);
  expect(list[0]).toMatchObject({ user_agent: 'agent\ufffd', request_uri: '/a\u0000b\n"' });
});

test('bytes without an end of line do not hold up the file forever', async () => {
  const junk = Buffer.alloc(1024 * 1024 + 1, 'x');
  expect(await ingest(junk)).toEqual({ offset: junk.length, stored: 0, broken: 1, foreign: 0 });
  const rest = Buffer.concat([Buffer.from('end of junk\n'), toBytes([makeLine()])]);
  expect(await ingest(rest, junk.length)).toMatchObject({ stored: 1, broken: 1 });
});

test('many batches at once, repeated, of several nodes: each line once', async () => {
  const bytes = toBytes(makeLines(200, start));
  const cut = bytes.indexOf(10, bytes.length / 2) + 1;
  const work = [1, 2, 3].flatMap((nodeId) =>
    [0, 0, cut, 0, cut].map((offset) =>
      store.ingest({
        nodeId,
        file: 'access.1',
        offset,
        lines: bytes.subarray(offset, offset === 0 ? cut : undefined),
      }),
    ),
  );
  await Promise.all(work);
  expect((await store.stats()).records).toBe(600);
});

test('a shipped batch is unpacked; what is no gzip, or too much, is refused', async () => {
  const bytes = toBytes(makeLines(5, start));
  expect(await unpackBatch(gzipSync(bytes))).toEqual(bytes);
  const members = [bytes, bytes.subarray(0, 10)].map((part) => gzipSync(part));
  expect(await unpackBatch(Buffer.concat(members))).toEqual(Buffer.concat([bytes, bytes.subarray(0, 10)]));
  const boasting = gzipSync(bytes);
  boasting.writeUInt32LE(0xff_ff_ff_ff, boasting.length - 4);
  await expect(unpackBatch(boasting)).rejects.toBeInstanceOf(LogBatchError);
  await expect(unpackBatch(bytes)).rejects.toBeInstanceOf(LogBatchError);
  await expect(unpackBatch(gzipSync(bytes).subarray(0, 50))).rejects.toBeInstanceOf(LogBatchError);
  await expect(unpackBatch(gzipSync(Buffer.alloc(129 * 1024 * 1024)))).rejects.toBeInstanceOf(LogBatchError);
});

test('more than memory should hold is turned away, and taken later', async () => {
  const lines = Buffer.alloc(200 * 1024 * 1024);
  const results = await Promise.allSettled([1, 2, 3].map(() => ingest(lines, 1)));
  const reasons = results.map((result) =>
    result.status === 'rejected' ? result.reason.constructor : undefined,
  );
  expect(reasons).toEqual([LogGapError, LogGapError, LogStoreBusyError]);
  expect(await ingest(toBytes([makeLine()]))).toMatchObject({ stored: 1 });
});

test('of a site that wants fewer records one in so many is kept, and every request counts', async () => {
  const lines = makeLines(2000, start).map((line) => ({
    ...line,
    site_id: 7,
    sample_rate: line.request_id < '8' ? 10 : 0,
  }));
  const sampled = lines.filter(({ sample_rate }) => sample_rate === 10).length;
  expect(await ingest(toBytes(lines))).toMatchObject({ stored: 2000, broken: 0 });
  const { total, list } = await store.search(all, {}, { current_page: 1, page_size: 200 });
  expect(total).toBeGreaterThan(sampled / 20);
  expect(total).toBeLessThan(sampled / 5);
  expect(list.every(({ request_id }) => request_id < '8')).toBe(true);
  const counted = await store.summary(all, 'cdn', {
    start_time: start.toISOString(),
    end_time: new Date(start.getTime() + 3_600_000).toISOString(),
  });
  expect(counted).toMatchObject({
    requests: 2000,
    flux: lines.reduce((sum, line) => sum + line.bytes_sent, 0),
  });
});

test('lines from before a field came are taken, with the field empty', async () => {
  const {
    raw_remote_addr: _,
    decision: __,
    cache_reason: ___,
    waf: _w,
    waf_part: _p,
    waf_tags: _t,
    ja4: _j,
    ...old
  } = makeLine({ request_id: 'old' });
  expect(await ingest(Buffer.from(`${JSON.stringify(old)}\n`))).toMatchObject({ stored: 1, broken: 0 });
  const { list } = await store.search(all, {}, firstPage);
  expect(list).toMatchObject([
    {
      request_id: 'old',
      raw_remote_addr: '',
      decision: '',
      cache_reason: '',
      waf: '',
      waf_part: '',
      waf_tags: '',
      ja4: '',
    },
  ]);
});

test.runIf(isDuckdb)('a file from before a field came is taken over', async () => {
  await ingest(toBytes([makeLine({ request_id: 'old' })]));
  await store.close();
  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'));
  const connection = await instance.connect();
  await connection.run('ALTER TABLE access_log DROP COLUMN raw_remote_addr');
  connection.closeSync();
  instance.closeSync();
  store = await openTestStore({ folder });
  const position = await store.position(1, 'access.1');
  await ingest(
    toBytes([makeLine({ raw_remote_addr: '192.0.2.9', time: '2026-03-01T10:00:01.000Z' })]),
    position,
  );
  const { list } = await store.search(all, { time_sort: 'asc' }, firstPage);
  expect(list.map((line) => line.raw_remote_addr)).toEqual(['', '192.0.2.9']);
});
