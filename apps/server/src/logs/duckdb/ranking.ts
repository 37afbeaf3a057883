import type { MonitorSide, Ranking, RankingKind } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import type { RankingFilter } from '../log-store.ts';
import { type Database, timestamp } from './database.ts';
import { hourMs, isPlaced, minuteMs, piecesOf, rangeOf } from '../figure-plan.ts';
import { fromPieces, whereOf } from './monitor-source.ts';
import { askerOf, recordsAsker } from './readers.ts';

/** What each ranking counts, as a column of a record; the condition leaves out what has no name. */
const records = {
  // A page is one page, whatever its query.
  top_hosts: { name: 'host', only: `AND site_id <> 0` },
  top_sites: { name: 'site_id::VARCHAR', only: `AND site_id <> 0` },
  top_nodes: { name: 'node_id::VARCHAR', only: '' },
  top_url: { name: `host || split_part(request_uri, '?', 1)`, only: '' },
  top_referer: { name: 'referer', only: `AND referer <> ''` },
  top_remote_addr: { name: 'remote_addr', only: '' },
  top_user_agent: { name: 'user_agent', only: `AND user_agent <> ''` },
  top_ja4: { name: 'ja4', only: `AND ja4 <> ''` },
  top_status: { name: 'status::VARCHAR', only: '' },
  top_method: { name: 'method', only: '' },
  top_cache_status: { name: 'cache_status', only: `AND cache_status <> ''` },
  top_country: { name: 'country', only: `AND country <> ''` },
  top_province: { name: 'province', only: `AND province <> ''` },
  top_carrier: { name: 'carrier', only: `AND carrier <> ''` },
  top_asn: { name: 'asn::VARCHAR', only: 'AND asn > 0' },
  // By site: the first rule of one is not that of another.
  top_refusals: { name: `site_id::VARCHAR || ' ' || decision`, only: `AND decision <> ''` },
  top_refusal_kinds: { name: `split_part(decision, ' ', 1)`, only: `AND decision <> ''` },
} as const satisfies Record<RankingKind, { name: string; only: string }>;

/** What the sums tell apart as well, and the column of them. */
const summed = {
  top_hosts: { name: 'host', column: 'host', only: `host <> ''` },
  top_sites: { name: 'site_id::VARCHAR', column: 'site_id', only: 'site_id <> 0' },
  top_nodes: { name: 'node_id::VARCHAR', column: 'node_id', only: 'true' },
} as const;
type Summed = keyof typeof summed;
const isSummed = (kind: RankingKind): kind is Summed => kind in summed;

export async function readRanking(
  database: Database,
  scope: Scope,
  side: MonitorSide,
  kind: RankingKind,
  filter: RankingFilter,
  signal: AbortSignal | undefined,
): Promise<Ranking> {
  const { from, values, asker } =
    isSummed(kind) && filter.refused === undefined
      ? sums(scope, side, kind, filter)
      : lines(scope, side, kind, filter);
  const by = filter.top_type === 'request' ? 'requests' : 'flux';
  // The name settles the order among equals, so that the same question has the same answer.
  const rows = await database.query(
    `SELECT name, requests, flux, sum(requests) OVER ()::DOUBLE AS all_requests, sum(flux) OVER ()::DOUBLE AS all_flux
     FROM (${from}) ORDER BY ${by} DESC, name LIMIT ${filter.top}`,
    values,
    { ...asker, signal },
  );
  return {
    ranks: rows.map(({ name, requests, flux }) => ({
      name: String(name),
      requests: Number(requests),
      flux: Number(flux),
    })),
    total: { requests: Number(rows[0]?.all_requests ?? 0), flux: Number(rows[0]?.all_flux ?? 0) },
    estimated: false,
  };
}

/** From the sums, which count what left no record too. */
function sums(scope: Scope, side: MonitorSide, kind: Summed, filter: RankingFilter) {
  const range = rangeOf(filter, isPlaced(filter) ? hourMs : minuteMs);
  const columns =
    side === 'cdn' ? (['requests', 'bytes_sent'] as const) : (['origin_requests', 'origin_bytes'] as const);
  const { name, column, only } = summed[kind];
  // A host or site is told apart in the large tables only; nodes are in the small ones as well.
  const pieces = piecesOf(
    scope,
    kind === 'top_nodes' ? filter : { ...filter, hosts: filter.hosts ?? [] },
    range,
    hourMs,
  );
  const { from, values } = fromPieces(pieces, [column, ...columns], whereOf(scope, filter));
  return {
    from: `SELECT ${name} AS name, sum(${columns[0]})::DOUBLE AS requests, sum(${columns[1]})::DOUBLE AS flux
      FROM ${from} WHERE ${only} GROUP BY 1 HAVING sum(${columns[0]}) > 0`,
    values,
    asker: askerOf(scope),
  };
}

function lines(scope: Scope, side: MonitorSide, kind: RankingKind, filter: RankingFilter) {
  const { start, end } = rangeOf(filter, minuteMs);
  const { condition, values } = whereOf(scope, filter);
  const { name, only } = records[kind];
  const bytes = side === 'cdn' ? 'bytes_sent' : 'origin_bytes';
  const asked = side === 'cdn' ? '' : `AND origin_addr <> ''`;
  const refused = filter.refused ? `AND decision ${filter.refused === 'yes' ? '<>' : '='} ''` : '';
  return {
    from: `SELECT ${name} AS name, count(*)::DOUBLE AS requests, sum(${bytes})::DOUBLE AS flux
      FROM access_log WHERE time >= $start AND time < $end ${only} ${asked} ${refused} ${condition} GROUP BY 1`,
    values: { ...values, start: timestamp(start), end: timestamp(end) },
    asker: recordsAsker(scope, filter.start_time, filter.end_time),
  };
}
