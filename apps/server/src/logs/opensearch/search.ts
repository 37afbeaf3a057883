import {
  readExclusions,
  type AccessLogRecord,
  type ExcludableField,
} from '@breakwater/contract/access-log-record';
import { isIP } from 'node:net';
import type { Scope } from '../../scope.ts';
import { type LogCount, type LogFilters, LogRangeError, type LogSteps } from '../log-store.ts';
import { laterDefaults, type StoredRecord } from './line.ts';
import { ask, scopeFilters, type Query, type Source } from './question.ts';

/** A store sorts so many records for a page; what lies deeper is reached in strides. */
const windowMax = 10_000;

/** They say what to look for in a way of their own. */
type NotCompared = 'time_sort' | 'refused' | 'exclude' | 'node_app_id' | 'start_time' | 'end_time';

const nothing: Query = { match_none: {} };
const equal = (field: string, value: unknown): Query => ({ term: { [field]: value } });
/** By any part of it; what means something to the store stands for itself. */
const contains = (field: string, value: string, case_insensitive = false): Query => ({
  wildcard: { [field]: { value: `*${value.replaceAll(/[\\*?]/g, String.raw`\$&`)}*`, case_insensitive } },
});

/** Texts are compared as a whole; only referer, request URI and agent by any part of them. */
const conditions: Record<Exclude<keyof LogFilters, NotCompared>, (value: string) => Query> = {
  host: (value) => equal('host', value.toLowerCase()),
  client_id: (value) => equal('client_id', value),
  order_id: (value) => equal('order_id', value),
  site_id: (value) => equal('site_id', value),
  node_id: (value) => equal('node_id', value),
  remote_addr: (value) => (isIP(value) ? equal('remote_addr', value) : nothing),
  http_referer: (value) => contains('referer', value),
  status_code: (value) => equal('status', value),
  cache_status: (value) => equal('cache_status', value.toUpperCase()),
  method: (value) => equal('method', value.toUpperCase()),
  request_uri: (value) => contains('request_uri', value),
  user_agent: (value) => contains('user_agent', value, true),
  text: (value) => ({
    bool: { should: [contains('request_uri', value, true), contains('user_agent', value, true)] },
  }),
  decision: (value) => ({
    bool: { should: [equal('decision', value), { prefix: { decision: `${value} ` } }] },
  }),
  waf: (value) => equal('waf_entries', value),
  ja4: (value) => equal('ja4', value),
  waf_tag: (value) => equal('waf_tag', value.toLowerCase()),
  geoip_country_code: (value) => equal('country', value.toUpperCase()),
  province: (value) => equal('province', value.toUpperCase()),
  carrier: (value) => equal('carrier', value.toLowerCase()),
  asn: (value) => equal('asn', Number(value)),
  request_id: (value) => equal('request_id', value.toLowerCase()),
};

export async function searchRecords(
  source: Source,
  scope: Scope,
  filters: LogFilters,
  page: { current_page: number; page_size: number },
): Promise<{ list: AccessLogRecord[]; total: number }> {
  const { indices, query } = questionOf(source, scope, filters);
  const offset = (page.current_page - 1) * page.page_size;
  const ascending = filters.time_sort === 'asc';
  if (offset + page.page_size <= windowMax) {
    const body = { ...pageOf(query, ascending), from: offset, size: page.page_size, track_total_hits: true };
    const { hits } = await ask<StoredRecord>(source, indices, body);
    return { list: hits.hits.map(recordOf), total: hits.total?.value ?? 0 };
  }
  const count = await ask(source, indices, { size: 0, query, track_total_hits: true });
  const total = count.hits.total?.value ?? 0;
  const size = Math.min(page.page_size, total - offset);
  if (size <= 0) return { list: [], total };
  // A page of the second half is read from the other end.
  const fromEnd = offset > total / 2;
  const body = pageOf(query, ascending !== fromEnd);
  const before = fromEnd ? total - offset - size : offset;
  const list = await readBehind(source, indices, body, before, size);
  return { list: fromEnd ? list.reverse() : list, total };
}

export async function countRecords(
  source: Source,
  scope: Scope,
  filters: LogFilters,
  { origin, interval }: LogSteps,
): Promise<LogCount[]> {
  const { indices, query } = questionOf(source, scope, filters);
  const stepMs = interval * 1000;
  const steps = {
    date_histogram: {
      field: 'time',
      fixed_interval: `${stepMs}ms`,
      offset: `${origin % stepMs}ms`,
      min_doc_count: 1,
    },
    aggs: { errors: { filter: { range: { status: { gte: 500 } } } } },
  };
  const { aggregations } = await ask(source, indices, { size: 0, query, aggs: { steps } });
  return (aggregations?.steps?.buckets ?? []).map(({ key, doc_count, errors }) => ({
    step: (Number(key) - origin) / stepMs,
    requests: doc_count,
    errors: errors?.doc_count ?? 0,
  }));
}

/** So many records behind so many others, which are passed over in strides. */
async function readBehind(
  source: Source,
  indices: string,
  body: Query,
  before: number,
  size: number,
): Promise<AccessLogRecord[]> {
  const found: AccessLogRecord[] = [];
  let after: unknown[] | undefined;
  for (let passed = 0; passed < before + size;) {
    const isPassed = passed < before;
    const stride = Math.min(windowMax, isPassed ? before - passed : before + size - passed);
    const part = { ...body, size: stride, _source: !isPassed, track_total_hits: false };
    const { hits } = await ask<StoredRecord>(
      source,
      indices,
      after ? { ...part, search_after: after } : part,
    );
    if (!isPassed) found.push(...hits.hits.map(recordOf));
    if (hits.hits.length < stride) break;
    passed += stride;
    after = hits.hits.at(-1)?.sort;
  }
  return found;
}

const recordOf = ({ _source }: { _source: StoredRecord }): AccessLogRecord => ({
  ...laterDefaults,
  ..._source,
});

/** The request id settles the order of records of one millisecond, so that pages neither repeat nor miss one. */
function pageOf(query: Query, ascending: boolean): Query {
  const order = ascending ? 'asc' : 'desc';
  return { query, sort: [{ time: order }, { request_id: order }] };
}

export function questionOf({ names }: Source, scope: Scope, filters: LogFilters) {
  const { start_time, end_time } = filters;
  if (start_time && end_time && new Date(start_time) >= new Date(end_time))
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  const all: Query[] = [equal('recorded', true)];
  all.push(...scopeFilters(scope));
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filters[name as keyof typeof conditions];
    if (value !== undefined && value !== '') all.push(condition(String(value)));
  }
  const refused = { exists: { field: 'refused' } };
  if (filters.refused) all.push(filters.refused === 'yes' ? refused : { bool: { must_not: [refused] } });
  const start = start_time ? new Date(start_time).getTime() : -Infinity;
  const end = end_time ? new Date(end_time).getTime() : Infinity;
  if (start_time) all.push({ range: { time: { gte: new Date(start).toISOString() } } });
  if (end_time) all.push({ range: { time: { lt: new Date(end).toISOString() } } });
  const exclusions = (readExclusions(filters.exclude ?? '') ?? []).flatMap(({ field, value }) =>
    isValueOf(field, value) ? [equal(field, value)] : [],
  );
  const indices =
    Number.isFinite(start) && Number.isFinite(end) ? names.recordsIn(start, end) : names.allRecords;
  return { indices, query: { bool: { filter: all, must_not: exclusions } } };
}

/** What no record can have excludes none. */
function isValueOf(field: ExcludableField, value: string): boolean {
  if (field === 'remote_addr') return isIP(value) !== 0;
  if (field === 'status' || field === 'site_id' || field === 'node_id') return /^\d{1,9}$/.test(value);
  return true;
}
