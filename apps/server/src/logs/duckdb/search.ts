import { readExclusions, type AccessLogRecord } from '@breakwater/contract/access-log-record';
import type { Scope } from '../../scope.ts';
import { type LogCount, type LogFilters, LogRangeError, type LogSteps } from '../log-store.ts';
import { type Run, timestamp, type Values } from './database.ts';
import { recordColumnList } from './schema.ts';

/** They say what to look for in a way of their own. */
type NotCompared = 'time_sort' | 'refused' | 'exclude' | 'node_app_id';

/** Texts are compared as a whole; only referer, request URI and agent by any part of them. */
const conditions = {
  host: 'host = lower($host)',
  client_id: 'client_id = $client_id',
  order_id: 'order_id = $order_id',
  site_id: 'site_id = $site_id',
  node_id: 'node_id = $node_id',
  remote_addr: 'remote_addr = $remote_addr',
  http_referer: 'contains(referer, $http_referer)',
  status_code: 'status = $status_code',
  cache_status: 'cache_status = upper($cache_status)',
  method: 'method = upper($method)',
  request_uri: 'contains(request_uri, $request_uri)',
  user_agent: 'contains(lower(user_agent), lower($user_agent))',
  text: `(contains(lower(request_uri), lower($text)) OR contains(lower(user_agent), lower($text)))`,
  decision: `(decision = $decision OR starts_with(decision, $decision || ' '))`,
  waf: `(${[' ', '=', ';'].map((end) => `contains('; ' || waf || ';', '; ' || $waf || '${end}')`).join(' OR ')}
    OR contains(waf || ';', '=' || $waf || ';'))`,
  ja4: 'ja4 = $ja4',
  waf_tag: `contains(' ' || waf_tags || ' ', ' ' || lower($waf_tag) || ' ')`,
  geoip_country_code: 'country = upper($geoip_country_code)',
  province: 'province = upper($province)',
  carrier: 'carrier = lower($carrier)',
  asn: 'asn = $asn',
  request_id: 'request_id = lower($request_id)',
  start_time: 'time >= $start_time',
  end_time: 'time < $end_time',
} as const satisfies Record<Exclude<keyof LogFilters, NotCompared>, string>;
type Condition = keyof typeof conditions;

export async function searchRecords(
  run: Run,
  scope: Scope,
  filters: LogFilters,
  page: { current_page: number; page_size: number },
): Promise<{ list: AccessLogRecord[]; total: number }> {
  const { where, values } = whereOf(scope, filters);
  const [count] = await run(`SELECT count(*) AS total FROM access_log ${where}`, values);
  const total = Number(count?.total ?? 0);
  const offset = (page.current_page - 1) * page.page_size;
  const limit = Math.min(page.page_size, total - offset);
  if (limit <= 0) return { list: [], total };
  // A page of the second half is read from the other end, since all rows before a page have to be sorted for it.
  const fromEnd = offset > total / 2;
  const direction = (filters.time_sort === 'asc') === fromEnd ? 'DESC' : 'ASC';
  // The request id settles the order of records of one millisecond, so that pages neither repeat nor miss one.
  const rows = await run(
    `SELECT node_id, ${recordColumnList} FROM access_log ${where}
     ORDER BY time ${direction}, request_id ${direction} LIMIT $limit OFFSET $offset`,
    { ...values, limit, offset: fromEnd ? total - offset - limit : offset },
  );
  const list = rows as unknown as AccessLogRecord[];
  return { list: fromEnd ? list.reverse() : list, total };
}

export async function countRecords(
  run: Run,
  scope: Scope,
  filters: LogFilters,
  { origin, interval }: LogSteps,
): Promise<LogCount[]> {
  const { where, values } = whereOf(scope, filters);
  const rows = await run(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step, count(*) AS requests,
       count(*) FILTER (WHERE status >= 500) AS errors
     FROM access_log ${where} GROUP BY step ORDER BY step`,
    { ...values, origin, stepMs: interval * 1000 },
  );
  return rows.map(({ step, requests, errors }) => ({
    step: Number(step),
    requests: Number(requests),
    errors: Number(errors),
  }));
}

export function whereOf(scope: Scope, filters: LogFilters): { where: string; values: Values } {
  const parts: string[] = [];
  const values: Values = {};
  const among = (column: string, ids: readonly number[]) => {
    const names = ids.map((id, index) => {
      const name = `scope_${column}_${index}`;
      values[name] = id;
      return `$${name}`;
    });
    parts.push(names.length === 0 ? 'false' : `${column} IN (${names.join(', ')})`);
  };
  if (scope.clients !== 'all') among('client_id', scope.clients);
  if (scope.sites !== undefined) among('site_id', scope.sites);
  for (const name of Object.keys(conditions) as Condition[]) {
    const value = filters[name];
    if (value === undefined || value === '') continue;
    parts.push(conditions[name]);
    values[name] = name === 'start_time' || name === 'end_time' ? timestamp(new Date(value)) : value;
  }
  if (filters.refused) parts.push(filters.refused === 'yes' ? `decision <> ''` : `decision = ''`);
  for (const [index, { field, value }] of (readExclusions(filters.exclude ?? '') ?? []).entries()) {
    // As texts: a number that is none is not equal to any.
    parts.push(`${field}::VARCHAR <> $exclude${index}`);
    values[`exclude${index}`] = value;
  }
  if (filters.start_time && filters.end_time && new Date(filters.start_time) >= new Date(filters.end_time)) {
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
}
