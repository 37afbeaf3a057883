import type { HealthReport } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { originHealth } from '../../db/schema.ts';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import { readLogRetention } from '../setting/setting.store.ts';

/** The history of one site is no longer than this, however often its origins come and go. */
const eventsPerSiteMax = 10_000;

/**
 * Stores what a node says of origins, in the caller's transaction. Counted are only sites that the node serves. Returns of
 * how many origins it was.
 */
export async function storeHealthReport(
  tx: Queryable,
  nodeId: number,
  report: HealthReport,
): Promise<number> {
  if (report.reset) await tx.execute(sql`DELETE FROM origin_health WHERE node_id = ${nodeId}`);
  await tx.execute(
    sql`DELETE FROM origin_health h USING (${recordsOf(report.gone)}) r
        WHERE h.node_id = ${nodeId} AND h.site_id = r.site_id AND h.address = r.address AND h.ip = r.ip
          AND h.port = r.port`,
  );
  await tx.execute(
    sql`INSERT INTO origin_health_event (site_id, node_id, address, ip, port, state, at, error_code, error_detail)
        SELECT site_id, ${nodeId}, address, ip, port, state, at, error_code, error_detail
        FROM (${servedOf(nodeId, report.events)}) r ORDER BY at ON CONFLICT DO NOTHING`,
  );
  const stored = await rowsOf(
    tx,
    sql`WITH stored AS (
          INSERT INTO origin_health AS h (site_id, node_id, address, ip, port, state, since, checked_at, latency_ms,
            error_code, error_detail, reported_at)
          SELECT DISTINCT ON (site_id, address, ip, port) site_id, ${nodeId}, address, ip, port, state, since, checked_at,
            latency_ms, error_code, error_detail, now()
          FROM (${servedOf(nodeId, report.origins)}) r ORDER BY site_id, address, ip, port, checked_at DESC
          ON CONFLICT (site_id, node_id, address, ip, port) DO UPDATE SET
            state = excluded.state, since = excluded.since, checked_at = excluded.checked_at,
            latency_ms = excluded.latency_ms, error_code = excluded.error_code,
            error_detail = excluded.error_detail, reported_at = excluded.reported_at
          RETURNING h.*, xmax = 0 AS is_new),
        ${returnedUnseen()}
        SELECT 1 FROM stored`,
  );
  return stored.length;
}

/** An origin that was last known to be out and is well when its node reports anew came back while nobody looked. */
function returnedUnseen(): SQL {
  return sql`returned AS (
    INSERT INTO origin_health_event (site_id, node_id, address, ip, port, state, at)
    SELECT s.site_id, s.node_id, s.address, s.ip, s.port, 'up', s.since
    FROM stored s CROSS JOIN LATERAL (
      SELECT e.state, e.at FROM origin_health_event e
      WHERE e.site_id = s.site_id AND e.node_id = s.node_id AND e.address = s.address AND e.ip = s.ip
        AND e.port = s.port
      ORDER BY e.at DESC, e.id DESC LIMIT 1) e
    WHERE s.is_new AND s.state = 'up' AND e.state <> 'up' AND e.at < s.since
    ON CONFLICT DO NOTHING)`;
}

/** Of what is said, that on sites the node serves. */
function servedOf(nodeId: number, rows: readonly object[]): SQL {
  return sql`SELECT r.* FROM (${recordsOf(rows)}) r WHERE EXISTS (
    SELECT 1 FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
    WHERE l.node_id = ${nodeId} AND d.kind = 'site' AND d.key = r.site_id::text AND NOT d.deleted)`;
}

function recordsOf(rows: readonly object[]): SQL {
  return sql`SELECT j.*, j.error->>'code' AS error_code, j.error->>'detail' AS error_detail
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS j (site_id integer, address text, ip text, port integer,
      state text, since timestamptz, checked_at timestamptz, latency_ms integer, at timestamptz, error jsonb)`;
}

/** The history is kept as long as the access log; what no node has said for a day is no state any more. */
export async function pruneOriginHealth(db: Db): Promise<void> {
  const { record_days: days } = await readLogRetention(db);
  await db.execute(sql`DELETE FROM origin_health_event WHERE at < now() - make_interval(days => ${days})`);
  await db.execute(
    sql`DELETE FROM origin_health_event e USING (
          SELECT site_id, (array_agg(id ORDER BY at DESC, id DESC))[${eventsPerSiteMax}] AS last
          FROM origin_health_event GROUP BY site_id HAVING count(*) > ${eventsPerSiteMax}) s
        JOIN origin_health_event l ON l.id = s.last
        WHERE e.site_id = s.site_id AND (e.at, e.id) < (l.at, l.id)`,
  );
  await db.delete(originHealth).where(sql`${originHealth.reportedAt} < now() - interval '1 day'`);
}
