import { statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type {
  LogRetention,
  MonitorMetric,
  MonitorSide,
  RankingKind,
  UsageKind,
} from '@breakwater/contract/statistics';
import type { Scope } from '../scope.ts';
import { Coverage } from './coverage.ts';
import { coverageTable } from './duckdb/coverage-table.ts';
import { readAttackedSites, readAttackSteps, readCampaigns } from './duckdb/attacks.ts';
import { listParts } from './duckdb/describe.ts';
import { Database, type DatabaseOptions } from './duckdb/database.ts';
import { Ingester, readPosition, writeProbe } from './duckdb/ingest.ts';
import { readSeries, readSummary } from './duckdb/monitor.ts';
import { readRanking } from './duckdb/ranking.ts';
import { askerOf, recordsAsker } from './duckdb/readers.ts';
import { replayRecords } from './duckdb/replay.ts';
import { readUsage } from './duckdb/usage.ts';
import { deleteExpired, mergeFigures, readLifecycle } from './duckdb/retention.ts';
import { countRuleHits } from './duckdb/rule-hits.ts';
import { countRecords, searchRecords } from './duckdb/search.ts';
import type { ReplayJudge, ReplayQuestion } from './replay-question.ts';
import type {
  AttackFilter,
  CampaignFilter,
  LogBatch,
  LogFilters,
  LogStats,
  LogSteps,
  LogStore,
  MonitorFilter,
  Places,
  RankingFilter,
  RuleHitFilter,
} from './log-store.ts';

/** With less of the disk free, somebody should look. */
const lowDiskShare = 0.05;

/** Half of the machine: the server lives there too, and threads that wait for a core slow ingestion down by a fifth. */
export function defaultThreads(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2));
}

/**
 * Opens the log store in a folder of its own, creating it when absent; after a crash it is again at the last batch
 * that was acknowledged. `places` says where visitors are; without it records have no place. Fails with
 * `LogStoreLockedError` while it is open already.
 */
export async function openDuckdbLogStore({
  places,
  ...options
}: Pick<DatabaseOptions, 'folder'> & Partial<DatabaseOptions> & { places?: Places }): Promise<LogStore> {
  const database = await Database.open({ memoryLimit: '1GB', threads: defaultThreads(), ...options });
  const coverage = new Coverage(coverageTable(database));
  await coverage.load();
  return new DuckdbLogStore(database, coverage, places);
}

class DuckdbLogStore implements LogStore {
  readonly #database: Database;
  readonly #coverage: Coverage;
  readonly #ingester: Ingester;

  constructor(database: Database, coverage: Coverage, places: Places | undefined) {
    this.#database = database;
    this.#coverage = coverage;
    this.#ingester = new Ingester(database, coverage, places);
  }

  position(nodeId: number, file: string) {
    return this.#database.read((run) => readPosition(run, nodeId, file));
  }

  ingest(batch: LogBatch) {
    return this.#ingester.ingest(batch);
  }

  covered(nodeId: number, until: Date) {
    return this.#coverage.tellUntil(nodeId, until.getTime());
  }

  search(
    scope: Scope,
    filters: LogFilters,
    page: { current_page: number; page_size: number },
    signal?: AbortSignal,
  ) {
    const asker = recordsAsker(scope, filters.start_time, filters.end_time, signal);
    return this.#database.read((run) => searchRecords(run, scope, filters, page), asker);
  }

  count(scope: Scope, filters: LogFilters, steps: LogSteps, signal?: AbortSignal) {
    const asker = recordsAsker(scope, filters.start_time, filters.end_time, signal);
    return this.#database.read((run) => countRecords(run, scope, filters, steps), asker);
  }

  ruleHits(scope: Scope, filter: RuleHitFilter, signal?: AbortSignal) {
    const [start, end] = [filter.times[0]!, filter.times.at(-1)!].map((time) => new Date(time).toISOString());
    const asker = recordsAsker(scope, start, end, signal);
    return this.#database.read((run) => countRuleHits(run, scope, filter), asker);
  }

  series(
    scope: Scope,
    side: MonitorSide,
    metric: MonitorMetric,
    filter: MonitorFilter & { interval: number },
  ) {
    return readSeries(this.#database, this.#coverage, scope, side, metric, filter);
  }

  summary(scope: Scope, side: MonitorSide, filter: MonitorFilter) {
    return readSummary(this.#database, scope, side, filter);
  }

  rank(scope: Scope, side: MonitorSide, kind: RankingKind, filter: RankingFilter, signal?: AbortSignal) {
    return readRanking(this.#database, scope, side, kind, filter, signal);
  }

  attackSteps(scope: Scope, filter: AttackFilter & { interval: number }, signal?: AbortSignal) {
    return readAttackSteps(this.#database, scope, filter, signal);
  }

  campaigns(scope: Scope, filter: CampaignFilter, signal?: AbortSignal) {
    return readCampaigns(this.#database, scope, filter, signal);
  }

  attackedSites(scope: Scope, filter: MonitorFilter & { top: number }) {
    return readAttackedSites(this.#database, scope, filter);
  }

  usage(
    scope: Scope,
    kind: UsageKind,
    filter: MonitorFilter,
    page: { current_page: number; page_size: number },
    now: Date,
  ) {
    return readUsage(this.#database, scope, kind, filter, page, now);
  }

  replay(scope: Scope, question: ReplayQuestion, judge: ReplayJudge, signal: AbortSignal) {
    const asker = { ...askerOf(scope), isLong: true, signal };
    return this.#database.read((run) => replayRecords(run, scope, question, judge), asker);
  }

  /** Each batch is stored with its sums. */
  sumUp() {
    return Promise.resolve();
  }

  async applyRetention(retention: LogRetention, now: Date) {
    const deleted = await deleteExpired(this.#database, this.#coverage, retention, now);
    await mergeFigures(this.#database, now);
    await this.#database.checkpoint();
    return deleted;
  }

  lifecycle(retention: LogRetention) {
    return this.#database.read((run) => readLifecycle(run, retention));
  }

  async stats(): Promise<LogStats> {
    const bytesOnDisk = await this.#database.bytesOnDisk();
    const [row] = await this.#database.read((run) =>
      run(
        `SELECT (SELECT count(*) FROM access_log) AS records, (SELECT count(*) FROM figure_minute) AS rollup_rows,
           (SELECT coalesce(sum(broken_lines), 0)::BIGINT FROM log_position) AS broken_lines,
           (SELECT min(time) FROM access_log) AS oldest, (SELECT max(time) FROM access_log) AS newest`,
      ),
    );
    return {
      records: Number(row?.records ?? 0),
      rollupRows: Number(row?.rollup_rows ?? 0),
      brokenLines: Number(row?.broken_lines ?? 0),
      bytesOnDisk,
      ...(row?.oldest && row.newest ? { oldest: String(row.oldest), newest: String(row.newest) } : {}),
    };
  }

  get connection() {
    return { embedded: true, address: this.#database.path, signed_in: false, encrypted: false, prefix: '' };
  }

  async probe() {
    await this.#database.query('SELECT 1', {});
    await this.#database.write(writeProbe);
  }

  async describe() {
    const [[row], disk] = await Promise.all([
      this.#database.query('SELECT version() AS version', {}),
      statfs(dirname(this.#database.path)),
    ]);
    const [disk_free, disk_total] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
    return {
      engine: 'duckdb' as const,
      version: String(row?.version),
      health: disk_free < disk_total * lowDiskShare ? ('yellow' as const) : ('green' as const),
      nodes: 1,
      unassigned_shards: 0,
      disk_free,
      disk_total,
    };
  }

  indices() {
    return listParts(this.#database);
  }

  close() {
    return this.#database.close();
  }
}
