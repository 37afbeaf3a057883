import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  matcherRuleSection,
  type EffectiveSite,
  type LineColumn,
} from '../../packages/contract/src/index.ts';
import { prepareKnown } from '@breakwater/policy/detect/known-rules';
import { planReplay } from '../../packages/policy/src/replay/replay.ts';
import { openDuckdbLogStore } from '../../apps/server/src/logs/duckdb-log-store.ts';
import type { LogStore } from '../../apps/server/src/logs/log-store.ts';
import { makeLines, toBytes } from '../../apps/server/src/logs/test-lines.ts';
import { Judge } from '../../apps/server/src/modules/rule-replay/replay-judge.ts';
import { median } from './result.ts';

/** Rules run over logged requests, from the question to the sums: lines a second. */

const rows = 1_000_000;
const rowsPerBatch = 20_000;
const rounds = 3;
const start = Date.parse('2026-03-01T00:00:00Z');
const perMinute = 12_000;
const sites = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const none = () => undefined;

export interface ReplaySpeed {
  /** By path and user agent, as most rules are. */
  linesPerSecond: number;
  /** By address too, so that there are many more different requests. */
  byAddress: number;
  /** With a rate, for which every line is looked at in its order. */
  byRate: number;
}

const leaf = (field: string, operator: string, values: string[]) => ({ field, operator, values });
const byPath = [
  { action: 'block', condition: { items: [leaf('path', 'starts_with', ['/assets/1'])] } },
  {
    action: 'block',
    condition: { items: [leaf('user_agent', 'contains', ['sqlmap']), leaf('method', 'equals', ['POST'])] },
  },
  {
    action: 'tag',
    mode: 'observe',
    tag: { name: 'x' },
    condition: { items: [leaf('path', 'regex', ['9/i'])] },
  },
];
const addresses = { action: 'block', condition: { items: [leaf('ip', 'in', ['198.51.100.0/28'])] } };
const limit = { action: 'limit', limit: { requests: 60, period_seconds: 60, burst: 20, key: 'address' } };

export async function benchReplay(): Promise<ReplaySpeed> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-replay-'));
  const store = await openDuckdbLogStore({ folder });
  try {
    await fill(store);
    return {
      linesPerSecond: await speedOf(store, byPath),
      byAddress: Math.round(await measure(store, [...byPath, addresses])),
      byRate: Math.round(await measure(store, [...byPath, limit])),
    };
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

async function fill(store: LogStore): Promise<void> {
  for (let from = 0; from < rows; from += rowsPerBatch) {
    const at = new Date(start + (from / perMinute) * 60_000);
    const lines = toBytes(makeLines(rowsPerBatch, at, { seed: from + 1, perMinute }));
    await store.ingest({ nodeId: 1, file: `access.${from}`, offset: 0, lines });
  }
}

async function speedOf(store: LogStore, rules: readonly object[]): Promise<number> {
  const speeds: number[] = [];
  for (let round = 0; round < rounds; round++) speeds.push(await measure(store, rules));
  return Math.round(median(speeds));
}

async function measure(store: LogStore, rules: readonly object[]): Promise<number> {
  const began = performance.now();
  const today = { certificate_settings: {} } as unknown as EffectiveSite;
  const draft = { ...today, matcher_rule: matcherRuleSection.parse({ rules }) };
  const log = { referer: true, user_agent: true, query: true, masked: [] };
  const plan = planReplay('matcher_rule', today, draft, log, Date.now() / 1000);
  const { signal } = new AbortController();
  const judge = new Judge({
    plans: new Map(sites.map((site) => [site, plan])),
    lookups: { isListed: () => false },
    known: prepareKnown([]),
    sampleRates: new Map(),
    robots: { learn: () => Promise.resolve(), of: none, isKnown: () => true },
    signal,
  });
  const columns = ['refused_by', 'own_target', ...Object.keys(plan.reads.columns)] as LineColumn[];
  const question = { start, end: start + 86_400_000, sites, columns, step: 3_600_000 };
  const { read } = await store.replay(
    { clients: 'all' },
    { ...question, linesMax: 2 * rows, groupsMax: rows },
    judge,
    signal,
  );
  if (read !== rows || judge.sums.stopped === 0) throw new Error(`${read} of ${rows} lines were read`);
  return (rows / (performance.now() - began)) * 1000;
}
