import type { AccessLogRecord } from '@breakwater/contract/access-log-record';
import type { LineColumn, ReplayDimension } from '@breakwater/contract/rule-replay';
import { toByteString } from '@breakwater/policy';
import { robotWords } from '@breakwater/policy/access/search-robots';
import type { ReplayLine } from '@breakwater/policy/replay/logged';

/** Requests of the past, for whoever wants to know what rules would have done with them. */

export interface ReplayQuestion {
  /** Milliseconds since 1970; the end is exclusive. */
  start: number;
  end: number;
  sites: readonly number[];
  /** By which requests are told apart. */
  columns: readonly LineColumn[];
  /** Of more lines only those of some visitors are read. */
  linesMax: number;
  /** Of more different requests the rest is not read. */
  groupsMax: number;
  /** Of the series, in milliseconds. */
  step: number;
}

/** Requests that do not differ in the columns. */
export interface ReplayGroup {
  id: number;
  siteId: number;
  nodeId: number;
  line: ReplayLine;
  requests: number;
}

/**
 * What was decided of a request: what it came to today and by the draft, and in the bits from `stoppedBit` on whether
 * that is a stop. 0: nothing to tell of it.
 */
export type ReplayCode = number;
export const stoppedBit = 256;
export const newlyBit = 512;
export const freedBit = 1024;
/** Depends on what came before it. */
export const inOrder = -1;

/** Decides a few thousand at a time, and lets others have their turn meanwhile. */
export interface ReplayJudge {
  /** Told before the first group. */
  begin(counted: { total: number; read: number }): void;
  groups(groups: readonly ReplayGroup[]): Promise<ReplayCode[]>;
  /** Lines of groups that were `inOrder`, from the oldest on; `at` in microseconds, as the request began. */
  lines(lines: readonly { group: number; at: number }[]): Promise<ReplayCode[]>;
}

export interface Stops {
  stopped: number;
  newly: number;
  freed: number;
}

export interface ReplayTally {
  total: number;
  read: number;
  by: Record<ReplayDimension, ({ value: string } & Stops)[]>;
  series: ({ time: number; requests: number } & Stops)[];
  samples: { code: ReplayCode; record: AccessLogRecord }[];
  /** Those newly stopped that call themselves bots of search engines. */
  robots: { user_agent: string; remote_addr: string; requests: number }[];
  clean: { visitors: number; requests: number };
}

export const samplesPerCode = 5;
export const samplesMax = 60;
export const robotsMax = 300;

/** Sections that are asked before all that is replayed, or of which no line tells enough. */
export const refusedBefore = ['ban', 'request_path', 'signing', 'basic_auth'];
export const wellKnown = '/.well-known/';
export const attackSection = 'used_system_rule';
export const quarterSeconds = 900;

/** In lower case, as a pattern of DuckDB and of JavaScript: no word has a sign of patterns but dots and slashes. */
export const robotPattern = robotWords()
  .map((word) => word.replaceAll('.', String.raw`\.`))
  .join('|');
const robots = new RegExp(robotPattern);
export const isRobotAgent = (agent: string): boolean => robots.test(agent.toLowerCase());

export type LineValues = Partial<Record<LineColumn, string | number | boolean>>;

/** A line by its columns; what was not asked for is empty. */
export function lineOf(values: LineValues): ReplayLine {
  const text = (column: LineColumn) => toByteString(String(values[column] ?? ''));
  const number = (column: LineColumn) => Number(values[column] ?? 0);
  const address = text('remote_addr') || text('robot_addr');
  return {
    method: text('method'),
    scheme: text('scheme'),
    host: text('host'),
    protocol: text('protocol'),
    target: text('request_uri') || text('path'),
    remote_addr: address,
    raw_remote_addr: text('raw_remote_addr'),
    remote_port: number('remote_port'),
    referer: text('referer'),
    user_agent: text('user_agent'),
    tls_version: text('tls_version'),
    ja4: text('ja4'),
    country: text('country'),
    province: text('province'),
    carrier: text('carrier'),
    asn: number('asn'),
    time: values.minute === undefined ? number('quarter') * quarterSeconds : number('minute') * 60,
    refused_by: text('refused_by'),
    own_target: text('own_target'),
    attack_noted: values.attack_noted === true,
    answer_status: number('answer_status'),
    answer_cache: text('answer_cache'),
  };
}

/** One column of a record, as DuckDB works it out. */
export function valueOf(record: AccessLogRecord, column: LineColumn): string | number | boolean {
  const [kind = ''] = record.decision.split(' ');
  switch (column) {
    case 'path':
      return record.request_uri.split('?', 1)[0] ?? '';
    case 'robot_addr':
      return isRobotAgent(record.user_agent) ? record.remote_addr : '';
    case 'quarter':
      return Math.floor(Date.parse(record.time) / 1000 / quarterSeconds);
    case 'minute':
      return Math.floor(Date.parse(record.time) / 60_000);
    case 'refused_by':
      return refusedBefore.includes(kind) ? kind : '';
    case 'own_target':
      return record.request_uri.startsWith(wellKnown) ? record.request_uri : '';
    case 'attack_noted':
      return record.waf.includes(attackSection);
    case 'answer_status':
      return record.decision === '' ? record.status : 0;
    case 'answer_cache':
      return record.decision === '' ? record.cache_status : '';
    default:
      return record[column];
  }
}
