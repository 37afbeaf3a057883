import type {
  LogRetention,
  MonitorMetric,
  MonitorSide,
  RankingKind,
  UsageKind,
} from '@breakwater/contract/statistics';
import type { Scope } from '../scope.ts';
import type { ReplayJudge, ReplayQuestion } from './replay-question.ts';
import { Coverage } from './coverage.ts';
import {
  type AttackFilter,
  type CampaignFilter,
  type LogBatch,
  type LogFilters,
  type LogStats,
  type LogStore,
  type LogSteps,
  LogStoreFullError,
  type MonitorFilter,
  type Places,
  type RankingFilter,
  type RuleHitFilter,
} from './log-store.ts';
import { readAttackedSites, readAttackSteps, readCampaigns } from './opensearch/attacks.ts';
import { Cluster } from './opensearch/cluster.ts';
import { coverageDocuments } from './opensearch/coverage-documents.ts';
import { describeCluster, listOurs } from './opensearch/describe.ts';
import { Days } from './opensearch/days.ts';
import { Ingester, readPosition } from './opensearch/ingest.ts';
import { readSeries, readSummary } from './opensearch/monitor.ts';
import { readLifecycle } from './opensearch/lifecycle.ts';
import { Names } from './opensearch/names.ts';
import type { Source } from './opensearch/question.ts';
import { readRanking } from './opensearch/ranking.ts';
import { replayRecords } from './opensearch/replay.ts';
import { deleteExpired, sumUpDays } from './opensearch/retention.ts';
import { sumUpRunning } from './opensearch/running.ts';
import { countRuleHits } from './opensearch/rule-hits.ts';
import { countRecords, searchRecords } from './opensearch/search.ts';
import { StateDocuments } from './opensearch/state.ts';
import { readStats } from './opensearch/stats.ts';
import { prepareStore } from './opensearch/templates.ts';
import { readUsage } from './opensearch/usage.ts';

/** Other servers tell of their nodes too: what they told is known here so soon. */
const coverageKnownMs = 20_000;
/** So few lines a chart may as well read: sums of fewer would hardly be fewer rows. */
const linesPerPart = 50_000;

/**
 * A log store in OpenSearch or Elasticsearch at `https://user:password@host:9200/prefix`. It need not be there yet: what needs
 * it fails with `LogStoreDownError` until it is. Lines of a day that is not over are summed up `partLines` at a time;
 * of more than `rankedNamesMax` names a ranking is estimated.
 */
export function openOpensearchLogStore({
  url,
  places,
  partLines = linesPerPart,
  rankedNamesMax,
}: {
  url: string;
  places?: Places;
  partLines?: number;
  rankedNamesMax?: number;
}): LogStore {
  return new OpensearchLogStore(new Cluster(url), places, partLines, rankedNamesMax);
}

class OpensearchLogStore implements LogStore {
  readonly #source: Source;
  readonly #state: StateDocuments;
  readonly #coverage: Coverage;
  readonly #ingester: Ingester;
  readonly #partLines: number;
  readonly #rankedNamesMax: number | undefined;
  #prepared: Promise<void> | undefined;
  #refreshing: Promise<unknown> | undefined;
  #coverageLoaded = -Infinity;

  constructor(
    cluster: Cluster,
    places: Places | undefined,
    partLines: number,
    rankedNamesMax: number | undefined,
  ) {
    this.#partLines = partLines;
    this.#rankedNamesMax = rankedNamesMax;
    const names = new Names(cluster.prefix);
    this.#state = new StateDocuments(cluster, names);
    this.#source = { cluster, names, days: new Days(this.#state, names) };
    this.#coverage = new Coverage(coverageDocuments(this.#state));
    this.#ingester = new Ingester(
      cluster,
      this.#state,
      this.#source.days,
      this.#coverage,
      places,
      async () => {
        await this.#ready();
        await this.#knowCoverage();
      },
    );
  }

  async position(nodeId: number, file: string) {
    await this.#ready();
    return readPosition(this.#state, nodeId, file);
  }

  ingest(batch: LogBatch) {
    return this.#ingester.ingest(batch);
  }

  async covered(nodeId: number, until: Date) {
    await this.#ready();
    await this.#knowCoverage();
    return this.#coverage.tellUntil(nodeId, until.getTime());
  }

  async search(
    scope: Scope,
    filters: LogFilters,
    page: { current_page: number; page_size: number },
    signal?: AbortSignal,
  ) {
    signal?.throwIfAborted();
    await this.#fresh();
    return searchRecords({ ...this.#source, signal }, scope, filters, page);
  }

  async count(scope: Scope, filters: LogFilters, steps: LogSteps, signal?: AbortSignal) {
    signal?.throwIfAborted();
    await this.#fresh();
    return countRecords({ ...this.#source, signal }, scope, filters, steps);
  }

  async ruleHits(scope: Scope, filter: RuleHitFilter, signal?: AbortSignal) {
    signal?.throwIfAborted();
    await this.#fresh();
    return countRuleHits({ ...this.#source, signal }, scope, filter);
  }

  async series(
    scope: Scope,
    side: MonitorSide,
    metric: MonitorMetric,
    filter: MonitorFilter & { interval: number },
  ) {
    await this.#fresh();
    await this.#knowCoverage();
    return readSeries(this.#source, this.#coverage, scope, side, metric, filter);
  }

  async summary(scope: Scope, side: MonitorSide, filter: MonitorFilter) {
    await this.#fresh();
    return readSummary(this.#source, scope, side, filter);
  }

  async rank(
    scope: Scope,
    side: MonitorSide,
    kind: RankingKind,
    filter: RankingFilter,
    signal?: AbortSignal,
  ) {
    signal?.throwIfAborted();
    await this.#fresh();
    return readRanking({ ...this.#source, signal }, scope, side, kind, filter, this.#rankedNamesMax);
  }

  async attackSteps(scope: Scope, filter: AttackFilter & { interval: number }, signal?: AbortSignal) {
    signal?.throwIfAborted();
    await this.#fresh();
    return readAttackSteps({ ...this.#source, signal }, scope, filter);
  }

  async campaigns(scope: Scope, filter: CampaignFilter, signal?: AbortSignal) {
    signal?.throwIfAborted();
    await this.#fresh();
    return readCampaigns({ ...this.#source, signal }, scope, filter);
  }

  async attackedSites(scope: Scope, filter: MonitorFilter & { top: number }) {
    await this.#fresh();
    return readAttackedSites(this.#source, scope, filter);
  }

  async usage(
    scope: Scope,
    kind: UsageKind,
    filter: MonitorFilter,
    page: { current_page: number; page_size: number },
    now: Date,
  ) {
    await this.#fresh();
    return readUsage(this.#source, scope, kind, filter, page, now);
  }

  async replay(scope: Scope, question: ReplayQuestion, judge: ReplayJudge, signal: AbortSignal) {
    signal.throwIfAborted();
    await this.#fresh();
    return replayRecords({ ...this.#source, signal }, scope, question, judge);
  }

  async sumUp(now: Date) {
    await this.#ready();
    await sumUpRunning(this.#source, now, this.#partLines);
  }

  async applyRetention(retention: LogRetention, now: Date) {
    await this.#fresh();
    const full = await sumUpDays(this.#source, now).catch((error: unknown) => {
      if (error instanceof LogStoreFullError) return error;
      throw error;
    });
    // A full store takes no sums, and has room again once what is due is deleted.
    const deleted = await deleteExpired(this.#source, this.#state, this.#coverage, retention, now);
    if (full) throw full;
    return deleted;
  }

  async lifecycle(retention: LogRetention) {
    await this.#fresh();
    return readLifecycle(this.#source, retention);
  }

  async stats(): Promise<LogStats> {
    await this.#fresh();
    return readStats(this.#source);
  }

  get connection() {
    const { cluster } = this.#source;
    return {
      embedded: false,
      address: cluster.shownUrl,
      signed_in: cluster.signsIn,
      encrypted: cluster.shownUrl.startsWith('https:'),
      prefix: cluster.prefix,
    };
  }

  async probe() {
    await this.#ready();
    const body = { kind: 'probe', updated_at: new Date().toISOString() };
    await this.#state.change('probe', body, () => body);
  }

  describe() {
    return describeCluster(this.#source);
  }

  async indices() {
    await this.#fresh();
    return listOurs(this.#source);
  }

  close() {
    return this.#source.cluster.close();
  }

  /** Indices of lines are made as these arrive, and need their templates then. */
  async #ready(): Promise<void> {
    this.#prepared ??= prepareStore(this.#source.cluster, this.#source.names);
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  /** A question sees all that was acknowledged before it, as if it had been asked of a database. */
  async #fresh(): Promise<void> {
    await this.#ready();
    if (this.#ingester.isDirty) {
      this.#ingester.isDirty = false;
      const { cluster, names } = this.#source;
      this.#refreshing = cluster
        .call('POST', `/${names.allRecords}/_refresh?ignore_unavailable=true&allow_no_indices=true`)
        .catch((error: unknown) => {
          this.#ingester.isDirty = true;
          throw error;
        });
    }
    await Promise.all([this.#refreshing, this.#source.days.load()]);
  }

  async #knowCoverage(): Promise<void> {
    if (Date.now() - this.#coverageLoaded < coverageKnownMs) return;
    await this.#coverage.load();
    this.#coverageLoaded = Date.now();
  }
}
