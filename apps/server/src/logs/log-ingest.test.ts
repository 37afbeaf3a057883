import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDuckdbLogStore } from './duckdb-log-store.ts';
import { LogGapError, type LogStore, LogStoreLockedError } from './log-store.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import { LogBatchError, unpackBatch } from './unpack-batch.ts';

const start = new Date('2026-03-01T10:00:00Z');
const all = { all: true } as const;
const firstPage = { current_page: 1, page_size: 10 };
let folder: string;
let store: LogStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openDuckdbLogStore({ folder });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const ingest = (lines: Buffer, offset = 0, file = 'access.1') => store.ingest({ nodeId: 1, file, offset, lines });

test('a batch is stored once, and what is stored reads as it was written', async () => {
  const lines = makeLines(50, start);
  const bytes = toBytes(lines);
  expect(await store.position(1, 'access.1')).toBe(0);
  expect(await ingest(bytes)).toEqual({ offset: bytes.length, stored: 50, broken: 0 });
  expect(await ingest(bytes)).toEqual({ offset: bytes.length, stored: 0, broken: 0 });
  expect(await store.position(1, 'access.1')).toBe(bytes.length);
  const { list, total } = await store.search(all, { time_sort: 'asc' }, { current_page: 1, page_size: 200 });
  expect(total).toBe(50);
  expect(list).toEqual(lines.map((line) => ({ node_id: 1, ...line })));
});
