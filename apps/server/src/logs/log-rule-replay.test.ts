import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LogStore } from './log-store.ts';
import {
  inOrder,
  newlyBit,
  stoppedBit,
  type ReplayGroup,
  type ReplayJudge,
  type ReplayQuestion,
} from './replay-question.ts';
import { makeLine, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

/** What a replay reads of the log, the same in every store. */

let folder: string;
let store: LogStore;
const start = Date.parse('2026-03-01T10:00:00Z');
const all = { clients: 'all' } as const;
const stopped = stoppedBit + newlyBit + 1;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-rule-replay-'));
  store = await openTestStore({ folder });
  const lines = Array.from({ length: 60 }, (_, index) =>
    makeLine({
      time: new Date(start + index * 1000).toISOString(),
      request_id: String(index).padStart(32, '0'),
      request_time: 0,
      site_id: index < 50 ? 1 : 2,
      client_id: index < 50 ? 1 : 2,
      request_uri: index % 2 === 0 ? `/even?n=${index}` : '/odd',
      remote_addr: index % 2 === 0 ? '198.51.100.1' : '198.51.100.2',
      user_agent: index === 4 ? 'Googlebot/2.1' : 'curl/8',
      status: index === 1 ? 404 : 200,
    }),
  );
  await store.ingest({ nodeId: 7, file: 'access.1', offset: 0, lines: toBytes(lines) });
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

const question: ReplayQuestion = {
  start,
  end: start + 60_000,
  sites: [1, 2],
  columns: ['path', 'node_id', 'refused_by'],
  linesMax: 1000,
  groupsMax: 1000,
  step: 30_000,
};

function judge(decide: (group: ReplayGroup) => number, ofLines: (index: number) => number = () => 0) {
  const seen: ReplayGroup[] = [];
  const times: number[] = [];
  const judging: ReplayJudge = {
    begin: () => {},
    groups: (groups) => {
      seen.push(...groups);
      return Promise.resolve(groups.map(decide));
    },
    lines: (lines) => {
      const first = times.length;
      times.push(...lines.map(({ at }) => at));
      return Promise.resolve(lines.map((_, index) => ofLines(first + index)));
    },
  };
  return { seen, times, judging };
}
const never = new AbortController().signal;

it('groups what does not differ in the columns, and tells of what was decided', async () => {
  const { seen, judging } = judge(({ line }) => (line.target === '/even' ? stopped : 0));
  const tally = await store.replay(all, question, judging, never);
  expect(
    seen
      .map(({ siteId, line, requests, nodeId }) => [siteId, line.target, requests, nodeId])
      .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  ).toEqual([
    [1, '/even', 25, 7],
    [1, '/odd', 25, 7],
    [2, '/even', 5, 7],
    [2, '/odd', 5, 7],
  ]);
  expect(tally).toMatchObject({ total: 60, read: 60, clean: { visitors: 1, requests: 30 } });
  expect(tally.by.path).toEqual([{ value: '/even', stopped: 30, newly: 30, freed: 0 }]);
  expect(tally.by.site).toMatchObject([
    { value: '1', newly: 25 },
    { value: '2', newly: 5 },
  ]);
  expect(tally.by.address).toMatchObject([{ value: '198.51.100.1', newly: 30 }]);
  expect(tally.series).toMatchObject([
    { time: start, requests: 30, newly: 15 },
    { time: start + 30_000, requests: 30, newly: 15 },
  ]);
  expect(tally.samples).toHaveLength(5);
  expect(tally.samples[0]!.record).toMatchObject({ node_id: 7, host: 'www.example.com' });
  expect(tally.robots).toEqual([{ user_agent: 'Googlebot/2.1', remote_addr: '198.51.100.1', requests: 1 }]);
});

it('brings what depends on order from the oldest on', async () => {
  const { times, judging } = judge(
    ({ siteId }) => (siteId === 1 ? inOrder : 0),
    (index) => (index >= 40 ? stopped : 0),
  );
  const tally = await store.replay(all, question, judging, never);
  expect(times).toEqual(Array.from({ length: 50 }, (_, index) => (start + index * 1000) * 1000));
  expect(tally.by.client).toEqual([{ value: '1', stopped: 10, newly: 10, freed: 0 }]);
});

it('keeps to what the caller may see, and to its bounds', async () => {
  const none = judge(() => 0);
  const scope = { clients: [2] };
  expect(await store.replay(scope, question, none.judging, never)).toMatchObject({ total: 10, read: 10 });
  expect(none.seen.every(({ siteId }) => siteId === 2)).toBe(true);
  const few = await store.replay(all, { ...question, linesMax: 30 }, judge(() => 0).judging, never);
  expect(few.total).toBe(60);
  expect(few.read).toBeLessThan(60);
  const coarse = await store.replay(all, { ...question, groupsMax: 2 }, judge(() => 0).judging, never);
  expect(coarse.read).toBeLessThan(60);
});

it('ends when nobody waits for it', async () => {
  const gone = new AbortController();
  const waiting = judge(() => {
    gone.abort(new Error('gone'));
    return 0;
  });
  await expect(store.replay(all, question, waiting.judging, gone.signal)).rejects.toThrow('gone');
});
