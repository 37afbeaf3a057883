import type { AccessLogRecord, accessLogFilters } from '@breakwater/contract/access-log-record';
import type { AttackKind, AttackOutcome, CampaignKey } from '@breakwater/contract/attack';
import type {
  LogRetention,
  MonitorMetric,
  MonitorSide,
  monitorPoint,
  monitorSummary,
  Ranking,
  RankingKind,
  RankingType,
  Usage,
  UsageKind,
} from '@breakwater/contract/statistics';
import type {
  LogIndex,
  LogLifecycle,
  LogStoreConnection,
  LogStoreInfo,
} from '@breakwater/contract/log-store';
import type * as z from 'zod';
import type { Scope } from '../scope.ts';
import type { ReplayJudge, ReplayQuestion, ReplayTally } from './replay-question.ts';

/** Lines of one access-log file of a node; `offset` is where the first byte stands in that file, uncompressed. */
export interface LogBatch {
  nodeId: number;
  file: string;
  offset: number;
  lines: Buffer;
  /** Of these, whose lines are not to be stored: the node has no say in them. Absent: all are. */
  foreign?: (claims: readonly LogClaim[]) => Promise<readonly LogClaim[]>;
}

/** Whose traffic a line says that it is. */
export interface LogClaim {
  site_id: number;
  client_id: number;
  order_id: number;
}

export interface IngestResult {
  /** Where the next batch of this file starts. */
  offset: number;
  /** Records stored by this batch. */
  stored: number;
  /** Lines skipped because they are no access-log line, or because the store refused them. */
  broken: number;
  /** Lines passed over because the node has no say in what they tell of. */
  foreign: number;
  /** What the store said to the first of those that it refused. */
  reason?: string;
}

/** Where addresses are. */
export interface Places {
  /** To be awaited before questions. Returns whether earlier answers may be out of date. */
  refresh(now: number): Promise<boolean>;
  /** Fields nobody knows are empty. */
  placeOf(address: string): Pick<AccessLogRecord, 'country' | 'province' | 'carrier' | 'asn'>;
}

/** As the query of the access-log search arrives; unset filters match everything. */
export type LogFilters = Partial<z.infer<z.ZodObject<typeof accessLogFilters>>>;

export interface LogSteps {
  origin: number;
  interval: number;
}
export interface LogCount {
  step: number;
  requests: number;
  /** Of these, answered with 500 and above. */
  errors: number;
}

/** Which rules are counted: those of a section, between the first and the last of these times (ms), by each stretch. */
export interface RuleHitFilter {
  /** At one site, at those of one customer, at some, or at all. */
  site_id?: number;
  client_id?: number;
  site_ids?: readonly number[];
  /** Of a level with its name: `matcher_rule global`. */
  section: string;
  times: readonly number[];
}
/** `stretch`: begins with the time of that number. `entry`: `matcher_rule 3=block`, as lines have it. */
export interface RuleHit {
  stretch: number;
  entry: string;
  requests: number;
}

/** Times are ISO 8601; the range is widened to whole minutes, its end is exclusive. */
export interface MonitorFilter {
  start_time: string;
  end_time: string;
  site_id?: number | undefined;
  node_id?: number | undefined;
  client_id?: number | undefined;
  order_id?: number | undefined;
  /** Figures by place are kept by the hour: the range is widened to whole hours. */
  country?: string | undefined;
  province?: string | undefined;
  carrier?: string | undefined;
  hosts?: readonly string[] | undefined;
  client_ids?: readonly number[] | undefined;
  /** Those of a line group. */
  order_ids?: readonly number[] | undefined;
}

export interface RankingFilter extends MonitorFilter {
  top: number;
  top_type: RankingType;
  /** Only what a rule kept from its site, or only the rest. */
  refused?: 'yes' | 'no' | undefined;
}

export interface AttackFilter extends MonitorFilter {
  outcome: AttackOutcome;
}
export interface CampaignFilter extends AttackFilter {
  by: CampaignKey;
  top: number;
  /** Sources that are looked at: those with the most requests. */
  sourcesMax: number;
}

/** Attack requests in steps; steps without any are left out, and kinds are in the order of `attackKinds`. */
export interface AttackSteps {
  range: { start: number; end: number };
  stepMs: number;
  steps: number;
  rows: { step: number; requests: number; kinds: number[] }[];
}

/** Attack requests of one source in one stretch of time. */
export interface Campaign {
  source: string;
  first_seen: string;
  last_seen: string;
  requests: number;
  addresses: number;
  site_count: number;
  /** The first of them by number. */
  site_ids: number[];
  kinds: AttackKind[];
}

export interface AttackedSite {
  site_id: number;
  refused: number;
  observed: number;
}

export type MonitorPoint = z.infer<typeof monitorPoint>;
export type MonitorSummary = z.infer<typeof monitorSummary>;

export interface LogStats {
  records: number;
  rollupRows: number;
  /** Lines skipped as broken, of all files still remembered. */
  brokenLines: number;
  bytesOnDisk: number;
  /** ISO 8601; absent while there is no record. */
  oldest?: string;
  newest?: string;
}

/** Where access-log lines are kept, searched and summed up. */
export interface LogStore {
  /** How far a file is stored: 0 for one never seen. */
  position(nodeId: number, file: string): Promise<number>;

  /**
   * Stores a batch exactly once: what lies before the stored position is skipped, an incomplete last line is left for
   * the next batch. Fails with `LogGapError` when bytes are missing before `offset`; that holds for unknown files too,
   * so a store that was lost is filled again from the start of what the nodes still have. File names are never reused.
   */
  ingest(batch: LogBatch): Promise<IngestResult>;

  /** The node has shipped all it logged until then: minutes without a line were quiet, they are no gaps. */
  covered(nodeId: number, until: Date): Promise<void>;

  /** Once the signal aborts the search ends, and fails with the signal's reason. */
  search(
    scope: Scope,
    filters: LogFilters,
    page: { current_page: number; page_size: number },
    signal?: AbortSignal,
  ): Promise<{ list: AccessLogRecord[]; total: number }>;

  /** How many records a search finds in each step of `interval` seconds from `origin` (ms) on; steps without any are left out. */
  count(scope: Scope, filters: LogFilters, steps: LogSteps, signal?: AbortSignal): Promise<LogCount[]>;

  /** How many records have each rule of a section, by what it did; those of levels are left out. */
  ruleHits(scope: Scope, filter: RuleHitFilter, signal?: AbortSignal): Promise<RuleHit[]>;

  /**
   * One point for each `interval` seconds, counted from the start's minute (unique visitors: its hour). A step is null
   * when the nodes concerned have told of none of its minutes; a rate or a mean also without traffic. Side `cdn` is what
   * visitors got, `origin` what was fetched for them; nothing of the latter is a cache hit.
   */
  series(
    scope: Scope,
    side: MonitorSide,
    metric: MonitorMetric,
    filter: MonitorFilter & { interval: number },
  ): Promise<MonitorPoint[]>;

  /** `bandwidth_peak` is that of the highest minute, in bits per second. */
  summary(scope: Scope, side: MonitorSide, filter: MonitorFilter): Promise<MonitorSummary>;

  /**
   * Names with the most requests or traffic. Only hosts, sites and nodes without `refused` count requests that left no
   * record. Requests to no site of ours are of no site. Once the signal aborts it ends, and fails with the signal's reason.
   */
  rank(
    scope: Scope,
    side: MonitorSide,
    kind: RankingKind,
    filter: RankingFilter,
    signal?: AbortSignal,
  ): Promise<Ranking>;

  /** Attack requests over time by kind, of the records. Once the signal aborts it ends, and fails with the signal's reason. */
  attackSteps(
    scope: Scope,
    filter: AttackFilter & { interval: number },
    signal?: AbortSignal,
  ): Promise<AttackSteps>;

  /** Campaigns among the records, the most requests first; ends as `attackSteps` does. */
  campaigns(scope: Scope, filter: CampaignFilter, signal?: AbortSignal): Promise<Campaign[]>;

  /** The sites with the most attack requests; those to no site of ours are left out. */
  attackedSites(scope: Scope, filter: MonitorFilter & { top: number }): Promise<AttackedSite[]>;

  /**
   * What each site or order took, most traffic first. The percentile is of all five minutes of the range until `now`, those
   * without traffic too.
   */
  usage(
    scope: Scope,
    kind: UsageKind,
    filter: MonitorFilter,
    page: { current_page: number; page_size: number },
    now: Date,
  ): Promise<{ list: Omit<Usage, 'name' | 'client_name'>[]; total: number }>;

  /** Has requests of the past decided once more. Once the signal aborts it ends, and fails with the signal's reason. */
  replay(
    scope: Scope,
    question: ReplayQuestion,
    judge: ReplayJudge,
    signal: AbortSignal,
  ): Promise<ReplayTally>;

  /** Sums up what has come of days that are not over, where that is not done as it comes. Meant to run every minute. */
  sumUp(now: Date): Promise<void>;

  /** Deletes what is older than the policy keeps and tidies up. Meant to run every few minutes to once an hour. */
  applyRetention(retention: LogRetention, now: Date): Promise<{ records: number; rollupRows: number }>;

  /** What `applyRetention` does with such a policy, and what it comes to next. */
  lifecycle(retention: LogRetention): Promise<LogLifecycle>;

  stats(): Promise<LogStats>;

  /** What does not need the store to answer. */
  readonly connection: LogStoreConnection;

  /** Reads and writes; fails with what kept it from that. */
  probe(): Promise<void>;

  describe(): Promise<
    Omit<LogStoreInfo, 'records' | 'figures' | 'broken_lines' | 'bytes' | 'oldest' | 'newest'>
  >;

  /** Newest first, then what has no time. */
  indices(): Promise<LogIndex[]>;
  close(): Promise<void>;
}

/** Bytes are missing: the file is stored up to `expectedOffset`, ship from there. */
export class LogGapError extends Error {
  readonly expectedOffset: number;
  constructor(expectedOffset: number, offset: number) {
    super(`The batch starts at byte ${offset}, but the file is stored up to byte ${expectedOffset} only`);
    this.name = 'LogGapError';
    this.expectedOffset = expectedOffset;
  }
}

/** A range that cannot be answered; `issue` is the key of its sentence in the contract's `issues`. */
export class LogRangeError extends Error {
  readonly issue: 'range_reversed' | 'range_too_fine';
  /** The finest step in seconds that would do, where that is the trouble. */
  readonly wouldDo: number | undefined;
  constructor(issue: 'range_reversed' | 'range_too_fine', message: string, wouldDo?: number) {
    super(message);
    this.name = 'LogRangeError';
    this.issue = issue;
    this.wouldDo = wouldDo;
  }
}

/** More is waiting to be stored, or asked at once, than memory should hold: come again later. */
export class LogStoreBusyError extends Error {
  constructor(cause?: unknown) {
    super('The log store has too much to do at once', { cause });
    this.name = 'LogStoreBusyError';
  }
}

/** The store takes no more until somebody makes room: ship again later. What it has is answered still. */
export class LogStoreFullError extends Error {
  constructor(cause: unknown) {
    super('The log store is full, or locked against writing', { cause });
    this.name = 'LogStoreFullError';
  }
}

/** The store does not answer, or does not let us in. */
export class LogStoreDownError extends Error {
  constructor(cause: unknown) {
    super(`The log store cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'LogStoreDownError';
  }
}

/** The store is open already, here or in another process. */
export class LogStoreLockedError extends Error {
  constructor(path: string, cause?: unknown) {
    super(`The log store ${path} is open already; stop the process that uses it first`, { cause });
    this.name = 'LogStoreLockedError';
  }
}
