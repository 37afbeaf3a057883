import { nodeSilentSeconds, type GuardStepReport } from '@breakwater/contract';
import { and, inArray, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { guardPlace, guardStep, nodeLineGroup, site } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvents, systemActor, type Actor, type NewEvent } from '../../events/record-event.ts';

/** Steps of CC guard, as nodes tell them: each is kept, and a site's first and last are events. */

/** One report at a time: what began or ended follows from all that stands. */
const stepsLock = 1_702_446_001;
const keptDays = 30;

interface Reporter {
  id: number;
  name: string;
}

/** Taken is what is about sites of the node's line groups. Answers how many steps were new. */
export function recordGuardSteps(
  db: Db,
  node: Reporter,
  instanceId: string,
  told: readonly GuardStepReport[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const served = await servedSites(tx, node.id, told);
    const steps = told.filter(({ site_id: id }) => served.has(id));
    if (steps.length === 0) return 0;
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${stepsLock})`);
    const before = await attackedOf(tx, served);
    const added = await addSteps(tx, node.id, instanceId, steps);
    if (added.length === 0) return 0;
    await movePlaces(tx, node.id, instanceId, added);
    await tellOf(tx, served, before, added.at(-1)!, { kind: 'node', ...node });
    return added.length;
  });
}

type Served = ReadonlyMap<number, { clientId: number; name: string }>;
type Step = GuardStepReport;

async function servedSites(tx: Transaction, nodeId: number, told: readonly Step[]): Promise<Served> {
  const ids = [...new Set(told.map(({ site_id: id }) => id))].toSorted((one, other) => one - other);
  const rows = await tx
    .select({ id: site.id, clientId: site.clientId, name: sql<string | null>`${site.config}->'domains'->>0` })
    .from(site)
    .where(
      and(
        inArray(site.id, ids),
        sql`EXISTS (SELECT FROM ${nodeLineGroup} WHERE ${nodeLineGroup.nodeId} = ${nodeId}
          AND ${nodeLineGroup.lineGroupId} = ${site.lineGroupId})`,
      ),
    )
    .orderBy(site.id)
    .for('key share');
  return new Map(rows.map(({ id, clientId, name }) => [id, { clientId, name: name ?? '' }]));
}

/** Which of these sites are under attack anywhere. */
async function attackedOf(tx: Transaction, sites: Served): Promise<Set<number>> {
  const rows = await tx
    .selectDistinct({ id: guardPlace.siteId })
    .from(guardPlace)
    .where(inArray(guardPlace.siteId, [...sites.keys()]));
  return new Set(rows.map(({ id }) => id));
}

/** Those that were not told before, in their order. */
async function addSteps(
  tx: Transaction,
  nodeId: number,
  instanceId: string,
  steps: readonly Step[],
): Promise<Step[]> {
  const rows = await tx
    .insert(guardStep)
    .values(
      steps.map(({ site_id: siteId, at, path, level, from, reason, value, limit }) => ({
        siteId,
        nodeId,
        instanceId,
        path,
        level,
        fromLevel: from,
        reason,
        value,
        threshold: limit,
        at: new Date(at * 1000),
      })),
    )
    .onConflictDoNothing()
    .returning({ siteId: guardStep.siteId, path: guardStep.path, at: guardStep.at, level: guardStep.level });
  const nameOf = (of: { siteId: number; path: string; level: number }, at: number) =>
    `${of.siteId} ${at} ${of.level} ${of.path}`;
  const added = new Set(rows.map((row) => nameOf(row, row.at.getTime() / 1000)));
  return steps.filter((step) => added.has(nameOf({ ...step, siteId: step.site_id }, step.at)));
}

/** To where the last step of each leads. */
async function movePlaces(
  tx: Transaction,
  nodeId: number,
  instanceId: string,
  steps: readonly Step[],
): Promise<void> {
  const last = [...new Map(steps.map((step) => [`${step.site_id} ${step.path}`, step])).values()];
  await tx.execute(
    sql`DELETE FROM guard_place p USING jsonb_to_recordset(${JSON.stringify(last)}::jsonb)
          AS s (site_id integer, path text)
        WHERE p.node_id = ${nodeId} AND p.site_id = s.site_id AND p.path = s.path`,
  );
  const standing = last.filter(({ level }) => level > 0);
  if (standing.length === 0) return;
  await tx.insert(guardPlace).values(
    standing.map(({ site_id: siteId, at, path, level, reason, value, limit }) => ({
      siteId,
      nodeId,
      instanceId,
      path,
      level,
      reason,
      value,
      threshold: limit,
      since: new Date(at * 1000),
    })),
  );
}

/** A site is under attack from the first place that is until the last one that was. */
async function tellOf(
  tx: Transaction,
  sites: Served,
  before: ReadonlySet<number>,
  step: Step | undefined,
  actor: Actor,
): Promise<void> {
  const after = await attackedOf(tx, sites);
  const events = [...sites].flatMap(([id, { clientId, name }]): NewEvent[] => {
    if (before.has(id) === after.has(id)) return [];
    const subject = { kind: 'site', id, name } as const;
    if (!after.has(id)) return [{ kind: 'guard_calmed', subject, clientId, actor }];
    const { path = '', reason = 'off', value = 0, limit = 0 } = step ?? {};
    const facts = { ...(path === '' ? {} : { url: path }), sign: reason, measured: `${value} > ${limit}` };
    return [{ kind: 'guard_escalated', subject, clientId, actor, data: { facts } }];
  });
  await recordEvents(tx, events);
}

/** What nodes that are silent, or whose nginx began anew, said no longer stands; and old steps go. */
export async function settleGuard(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${stepsLock})`);
    const gone = await rowsOf<{ site_id: number; client_id: number; name: string | null; ended: boolean }>(
      tx,
      sql`WITH gone AS (
            DELETE FROM guard_place p USING node n
            WHERE n.id = p.node_id AND (n.status_time IS NULL
              OR n.status_time < now() - make_interval(secs => ${nodeSilentSeconds * 3})
              OR coalesce(n.state->>'instance_id', '') NOT IN ('', p.instance_id))
            RETURNING p.site_id, p.node_id, p.path, p.instance_id, p.level),
          told AS (
            INSERT INTO guard_step (site_id, node_id, path, instance_id, level, from_level, reason, value, threshold, at)
            SELECT site_id, node_id, path, instance_id, 0, level, 'off', 0, 0, now() FROM gone
            ON CONFLICT DO NOTHING)
          SELECT s.id AS site_id, s.client_id, s.config->'domains'->>0 AS name,
            (SELECT count(*) FROM guard_place p WHERE p.site_id = s.id) = (SELECT count(*) FROM gone g WHERE g.site_id = s.id) AS ended
          FROM site s WHERE s.id IN (SELECT site_id FROM gone)`,
    );
    await recordEvents(
      tx,
      gone
        .filter(({ ended }) => ended)
        .map(({ site_id: id, client_id: clientId, name }): NewEvent => ({
          kind: 'guard_calmed',
          subject: { kind: 'site', id, name: name ?? '' },
          clientId,
          actor: systemActor,
        })),
    );
  });
  await db.delete(guardStep).where(sql`${guardStep.createdAt} < now() - make_interval(days => ${keptDays})`);
}
