import { availableParallelism } from 'node:os';
import type { LogRetention, MonitorMetric, MonitorSide } from '@breakwater/contract/statistics';
import type { Scope } from '../scope.ts';
import { Database, type DatabaseOptions, type Run } from './duckdb/database.ts';
import { Ingester, readPosition } from './duckdb/ingest.ts';
import { type Coverage, readCoverage, readSeries, readSummary } from './duckdb/monitor.ts';
import { deleteExpired, mergeRollups } from './duckdb/retention.ts';
import { searchRecords } from './duckdb/search.ts';
import type { LogBatch, LogFilters, LogStats, LogStore, MonitorFilter } from './log-store.ts';

/** Half of the machine: the server lives there too, and threads that wait for a core slow ingestion down by a fifth. */
export function defaultThreads(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2));
}

/**
 * Opens the log store in a folder of its own, creating it when absent; after a crash it is again at the last batch
 * that was acknowledged. Fails with `LogStoreLockedError` while it is open already.
 */
export async function openDuckdbLogStore(
  options: Pick<DatabaseOptions, 'folder'> & Partial<DatabaseOptions>,
): Promise<LogStore> {
  return new DuckdbLogStore(
    await Database.open({ memoryLimit: '1GB', threads: defaultThreads(), ...options }),
  );
}

class DuckdbLogStore implements LogStore {
  readonly #database: Database;
  readonly #ingester: Ingester;
  /** By node: up to when it has shipped all. Not stored, since nodes say it every few seconds. */
  readonly #coveredUntil = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
    this.#ingester = new Ingester(database);
  }

  position(nodeId: number, file: string) {
    return this.#database.read((run) => readPosition(run, nodeId, file));
  }

  ingest(batch: LogBatch) {
    return this.#ingester.ingest(batch);
  }

  covered(nodeId: number, until: Date) {
    this.#coveredUntil.set(nodeId, until.getTime());
  }

  search(scope: Scope, filters: LogFilters, page: { current_page: number; page_size: number }) {
    return this.#database.read((run) => searchRecords(run, scope, filters, page));
  }

  series(
    scope: Scope,
    side: MonitorSide,
    metric: MonitorMetric,
    filter: MonitorFilter & { interval: number },
  ) {
    return this.#database.read(async (run) => {
      const coverage = await this.#coverage(run, filter.node_id);
      return readSeries(run, scope, side, metric, filter, coverage);
    });
  }

  summary(scope: Scope, side: MonitorSide, filter: MonitorFilter) {
    return this.#database.read((run) => readSummary(run, scope, side, filter));
  }

  async applyRetention(retention: LogRetention, now: Date) {
    const deleted = await deleteExpired(this.#database, retention, now);
    await mergeRollups(this.#database, now);
    await this.#database.checkpoint();
    return deleted;
  }

  async stats(): Promise<LogStats> {
    const bytesOnDisk = await this.#database.bytesOnDisk();
    const [row] = await this.#database.read((run) =>
      run(
        `SELECT (SELECT count(*) FROM access_log) AS records, (SELECT count(*) FROM rollup_minute) AS rollup_rows,
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

  close() {
    return this.#database.close();
  }

  async #coverage(run: Run, nodeId: number | undefined): Promise<Coverage | undefined> {
    const stored = await readCoverage(run, nodeId);
    if (!stored) return undefined;
    const told =
      nodeId === undefined ? [...this.#coveredUntil.values()] : [this.#coveredUntil.get(nodeId) ?? 0];
    return { first: stored.first, last: told.reduce((last, until) => Math.max(last, until), stored.last) };
  }
}
