import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from './database.ts';

let folder: string;
let database: Database;
const open = () => Database.open({ folder, memoryLimit: '500MB', threads: 1 });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  database = await open();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const endless = 'SELECT sum(hash(a.range + b.range))::DOUBLE FROM range(100000000) a, range(100000000) b';
/** A question that ends only when it is stopped. */
function askForever(owner: string) {
  const stopping = new AbortController();
  const end = database
    .query(endless, {}, { owner, isLong: true, signal: stopping.signal })
    .catch((error: unknown) => error);
  return {
    stop: () => {
      stopping.abort('stopped');
      return end;
    },
  };
}

test('long questions, however many, leave a reader to charts, and end when they are stopped', async () => {
  const questions = Array.from({ length: 5 }, () => askForever('1'));
  for (const owner of ['1', '2'])
    expect(await database.query('SELECT 1 AS one', {}, { owner })).toEqual([{ one: 1 }]);
  expect(await Promise.all(questions.map(({ stop }) => stop()))).toEqual(Array(5).fill('stopped'));
  const stopped = AbortSignal.abort('stopped');
  await expect(database.query('SELECT 1', {}, { signal: stopped })).rejects.toBe('stopped');
  expect(await database.query('SELECT 1 AS one', {}, { isLong: true })).toEqual([{ one: 1 }]);
});

test('whoever asks for much waits for others to have their turn', async () => {
  const [first, ...others] = Array.from({ length: 4 }, () => askForever('1'));
  const other = database.query('SELECT 2 AS two', {}, { owner: '2', isLong: true });
  await first!.stop();
  expect(await other).toEqual([{ two: 2 }]);
  await Promise.all(others.map(({ stop }) => stop()));
});

test('a search that is stopped between two statements begins no further one', async () => {
  const stopping = new AbortController();
  const answer = database.read(
    async (run) => {
      await run('SELECT 1');
      stopping.abort('stopped');
      return run(endless);
    },
    { signal: stopping.signal },
  );
  await expect(answer).rejects.toBe('stopped');
  expect(await database.read((run) => run('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
});

test('what a killed process had put aside on disk is removed', async () => {
  await database.close();
  const aside = join(folder, 'logs.duckdb.tmp');
  await mkdir(aside);
  await writeFile(join(aside, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'x');
  database = await open();
  expect(await readdir(folder)).not.toContain('logs.duckdb.tmp');
});
