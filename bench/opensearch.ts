/**
 * How charts of a day that is not over grow with its traffic, where logs are in OpenSearch: a day of 2,000 sites of which 23 hours
 * have passed, with a tenth of the lines and with all, asked from the lines alone and from their sums too. Each question is
 * asked after one more line, so that the store answers none from what it remembers. Needs what `npm run test:opensearch` has
 * fetched. `node bench/opensearch.ts [LINES]`, 2 million unless said.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessLogLine } from '../packages/contract/src/access-log.ts';
import type { LogStore } from '../apps/server/src/logs/log-store.ts';
import { Coverage } from '../apps/server/src/logs/coverage.ts';
import { Cluster } from '../apps/server/src/logs/opensearch/cluster.ts';
import { coverageDocuments } from '../apps/server/src/logs/opensearch/coverage-documents.ts';
import { Days } from '../apps/server/src/logs/opensearch/days.ts';
import { readSeries, readSummary } from '../apps/server/src/logs/opensearch/monitor.ts';
import { Names } from '../apps/server/src/logs/opensearch/names.ts';
import { readRanking } from '../apps/server/src/logs/opensearch/ranking.ts';
import { StateDocuments } from '../apps/server/src/logs/opensearch/state.ts';
import { openOpensearchLogStore } from '../apps/server/src/logs/opensearch-log-store.ts';
import { makeLine, makeLines, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { startLogEngine } from '../packages/test-world/src/log-engine.ts';
import { median, printResult } from './lib/result.ts';

const lines = Number(process.argv[2] ?? 2_000_000);
const rounds = 9;
const hourMs = 3_600_000;
const passedMs = 23 * hourMs;
const linesPerBatch = 10_000;
/** The store's own measure of what is worth a sum. */
const linesPerPart = 50_000;
const all = { clients: 'all' } as const;
const start = Date.parse('2026-03-01T00:00:00Z');
const now = new Date(start + passedMs);
const iso = (time: number) => new Date(time).toISOString();
const day = { start_time: iso(start), end_time: iso(start + 24 * hourMs) };
const lastHour = { start_time: iso(start + passedMs - hourMs), end_time: iso(start + passedMs) };
const ways = ['lines', 'sums'] as const;
const questions = ['site_day', 'all_day', 'day_summary', 'top_sites', 'home'] as const;
type Question = (typeof questions)[number];
const retention = { record_days: 3650, rollup_days: 3650 };

const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
const opensearch = await startLogEngine('opensearch', folder);
try {
  const small = await fill(lines / 10);
  const large = await fill(lines);
  const times = await timeOf([small, large]);
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = { lines };
  for (const way of ways)
    for (const question of questions) {
      const [ofSmall, ofLarge] = times.map((each) => each[way][question]) as [number, number];
      ratios[`${question}_growth_${way}`] = ofLarge / ofSmall;
      figures[`${question}_${way}_small_ms`] = ofSmall;
      figures[`${question}_${way}_ms`] = ofLarge;
    }
  const { fill_s, sum_up_s } = large;
  const sum_up_day_s = await secondsOf(() =>
    large.store.applyRetention(retention, new Date(start + 25 * hourMs)),
  );
  for (const each of [small, large]) await each.close();
  printResult('opensearch', ratios, {
    ...figures,
    fill_s,
    sum_up_s,
    sum_up_day_s,
    lines_per_second: lines / fill_s,
  });
} finally {
  await opensearch.stop();
  await rm(folder, { recursive: true });
}

/** A store with so many lines of 23 hours in order of time, summed up as they come; then as many as may wait for the next sums. */
async function fill(count: number) {
  const url = `${opensearch.url}/lines${count}`;
  const store = openOpensearchLogStore({ url });
  const cluster = new Cluster(url);
  let offset = 0;
  const ship = async (made: AccessLogLine[]) => {
    const bytes = toBytes(made);
    ({ offset } = await store.ingest({ nodeId: 1, file: 'access.1', offset, lines: bytes }));
  };
  const perMinute = (count * 60_000) / passedMs;
  let fill_s = 0;
  let sum_up_s = 0;
  for (let done = 0; done < count; done += linesPerBatch) {
    const from = new Date(start + (done * 60_000) / perMinute);
    const made = linesOfSites(Math.min(linesPerBatch, count - done), from, { perMinute, seed: done });
    fill_s += await secondsOf(() => ship(made));
    sum_up_s += await secondsOf(() => store.sumUp(now));
  }
  const waiting = { perMinute: linesPerPart / 10, seed: count + 1 };
  await ship(linesOfSites(linesPerPart - 1000, new Date(now.getTime() - 10 * 60_000), waiting));
  console.log(`${count} lines: stored in ${fill_s.toFixed(0)} s, summed up in ${sum_up_s.toFixed(0)} s`);
  const close = async () => {
    await cluster.close();
    await store.close();
  };
  return { store, ship, close, fill_s, sum_up_s, sums: questionsOf(store), lines: questionsOfLines(cluster) };
}

/** Of 2,000 sites, few of which have most of the traffic. */
function linesOfSites(...asked: Parameters<typeof makeLines>): AccessLogLine[] {
  return makeLines(...asked).map((line) => {
    const site = Math.floor(2000 ** Math.random());
    return {
      ...line,
      site_id: site,
      client_id: 1 + (site % 300),
      order_id: site,
      host: `www${site}.example.com`,
    };
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1000;
}

type Asked = Pick<LogStore, 'series' | 'summary' | 'rank'>;

function questionsOf(store: Asked): Record<Question, () => Promise<unknown>> {
  const chart = { ...day, interval: 300 };
  return {
    site_day: () => store.series(all, 'cdn', 'bandwidth', { ...chart, site_id: 4 }),
    all_day: () => store.series(all, 'cdn', 'bandwidth', chart),
    day_summary: () => store.summary(all, 'cdn', day),
    top_sites: () => store.rank(all, 'cdn', 'top_sites', { ...day, top: 10, top_type: 'flux' }),
    // What the administrator's home asks of today.
    home: () =>
      Promise.all([
        store.summary(all, 'cdn', lastHour),
        store.series(all, 'cdn', 'bandwidth', { ...lastHour, interval: 60 }),
      ]),
  };
}

/** The same questions of somebody who knows of no sums. */
function questionsOfLines(cluster: Cluster) {
  const names = new Names(cluster.prefix);
  const state = new StateDocuments(cluster, names);
  const source = { cluster, names, days: new Days(state, names) };
  const coverage = new Coverage(coverageDocuments(state));
  return questionsOf({
    series: (...asked) => readSeries(source, coverage, ...asked),
    summary: (...asked) => readSummary(source, ...asked),
    rank: (scope, side, kind, filter) => readRanking(source, scope, side, kind, filter),
  });
}

/** The median of each question's time in milliseconds, asked in turn; the first round warms up. */
async function timeOf(stores: readonly Awaited<ReturnType<typeof fill>>[]) {
  const times = stores.map(() => ({ lines: timesOf(), sums: timesOf() }));
  const cases = questions.flatMap((question) =>
    stores.flatMap((store, at) =>
      ways.map((way) => ({ question, way, store, to: times[at]![way][question] })),
    ),
  );
  for (let round = 0; round <= rounds; round++)
    for (const { question, way, store, to } of cases) {
      await store.ship([makeLine({ time: now.toISOString() })]);
      // The store makes the line known to searches, which is no part of the question.
      await store.store.indices();
      const seconds = await secondsOf(store[way][question]);
      if (round > 0) to.push(seconds * 1000);
    }
  return times.map(({ lines: ofLines, sums }) => ({ lines: mediansOf(ofLines), sums: mediansOf(sums) }));
}

function timesOf(): Record<Question, number[]> {
  return { site_day: [], all_day: [], day_summary: [], top_sites: [], home: [] };
}

function mediansOf(times: Record<Question, number[]>): Record<Question, number> {
  const medians = questions.map((each) => [each, median(times[each])]);
  return Object.fromEntries(medians) as Record<Question, number>;
}
