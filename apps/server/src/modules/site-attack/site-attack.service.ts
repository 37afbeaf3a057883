import { and, eq, inArray, sql } from 'drizzle-orm';
import type { AttackNotice } from '@breakwater/contract';
import type { Transaction } from '../../db/database.ts';
import { site, siteAttack, siteDomain } from '../../db/schema.ts';
import { recordEvents, systemActor, type NewEvent } from '../../events/record-event.ts';
import type { AttackedSite } from '../../logs/log-store.ts';
import { everything } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readAttackNotice } from '../setting/setting.store.ts';

/** It is told that sites are attacked, by the figures of the last minutes: not for each request, and each attack a few times. */

const minuteMs = 60_000;
/** Lines are on their way for a while. */
const behindMs = minuteMs;
/** Those with the most requests; more sites at a time are told of when these are over. */
const sitesMax = 1000;
/** One server at a time tells. */
const lock = 728_141_951;

type Row = typeof siteAttack.$inferSelect;

/** Meant to run every minute. Returns how many events it wrote. */
export async function tellOfAttacks(
  { db, logStore }: Pick<Services, 'db' | 'logStore'>,
  now = new Date(),
): Promise<number> {
  const notice = await readAttackNotice(db);
  if (!notice.enabled) {
    // What began before is not told of any more either.
    await db.delete(siteAttack);
    return 0;
  }
  const end = Math.floor((now.getTime() - behindMs) / minuteMs) * minuteMs;
  const counted = await logStore.attackedSites(everything, {
    start_time: new Date(end - notice.window_minutes * minuteMs).toISOString(),
    end_time: new Date(end).toISOString(),
    top: sitesMax,
  });
  return db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${lock})`);
    return tell(tx, notice, counted, now);
  });
}

async function tell(
  tx: Transaction,
  notice: AttackNotice,
  counted: readonly AttackedSite[],
  now: Date,
): Promise<number> {
  const rows = await tx.select().from(siteAttack);
  const known = new Map(rows.map((row) => [row.siteId, row]));
  const of = new Map(counted.map((each) => [each.site_id, each]));
  const began = counted.filter((each) => !known.has(each.site_id) && sumOf(each) >= notice.requests);
  const sites = await namedSites(tx, [...began.map(({ site_id }) => site_id), ...known.keys()]);
  const events: NewEvent[] = [];
  const add = (kind: 'attack_started' | 'attack_continued' | 'attack_ended', id: number, facts: Facts) => {
    const found = sites.get(id);
    if (!found) return;
    const subject = { kind: 'site' as const, id, name: found.name };
    events.push({ kind, subject, clientId: found.clientId, actor: systemActor, data: { facts } });
  };
  await begin(
    tx,
    began.filter(({ site_id }) => sites.has(site_id)),
    now,
  );
  for (const each of began)
    add('attack_started', each.site_id, { ...factsOf(each), minutes: notice.window_minutes });
  const seen: (Row & { tells: boolean })[] = [];
  const over: Row[] = [];
  for (const row of rows) {
    const count = of.get(row.siteId) ?? { site_id: row.siteId, refused: 0, observed: 0 };
    if (sumOf(count) * 2 >= notice.requests) {
      const tells = minutesBetween(row.toldAt, now) >= notice.repeat_minutes;
      seen.push({ ...row, peak: Math.max(row.peak, sumOf(count)), tells });
      if (tells)
        add('attack_continued', row.siteId, {
          ...factsOf(count),
          minutes: minutesBetween(row.startedAt, now),
        });
    } else if (minutesBetween(row.seenAt, now) >= notice.quiet_minutes) {
      over.push(row);
      add('attack_ended', row.siteId, { minutes: minutesBetween(row.startedAt, row.seenAt), peak: row.peak });
    }
  }
  await goOn(tx, seen, now);
  const ids = over.map(({ siteId }) => siteId);
  if (ids.length > 0) await tx.delete(siteAttack).where(inArray(siteAttack.siteId, ids));
  await recordEvents(tx, events);
  return events.length;
}

type Facts = Record<string, number>;
const sumOf = ({ refused, observed }: AttackedSite): number => refused + observed;
const factsOf = ({ refused, observed }: AttackedSite): Facts => ({ refused, observed });
const minutesBetween = (from: Date, until: Date): number =>
  Math.round((until.getTime() - from.getTime()) / minuteMs);

async function begin(tx: Transaction, began: readonly AttackedSite[], now: Date): Promise<void> {
  if (began.length === 0) return;
  const times = { startedAt: now, seenAt: now, toldAt: now };
  await tx
    .insert(siteAttack)
    .values(began.map((each) => ({ siteId: each.site_id, ...times, peak: sumOf(each) })));
}

/** One statement, however many there are. */
async function goOn(tx: Transaction, seen: readonly (Row & { tells: boolean })[], now: Date): Promise<void> {
  if (seen.length === 0) return;
  const values = seen.map(({ siteId, peak, tells }) => ({ site_id: siteId, peak, tells }));
  await tx.execute(
    sql`UPDATE site_attack a SET seen_at = ${now.toISOString()}::timestamptz, peak = s.peak,
          told_at = CASE WHEN s.tells THEN ${now.toISOString()}::timestamptz ELSE a.told_at END
        FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS s (site_id integer, peak integer, tells boolean)
        WHERE a.site_id = s.site_id`,
  );
}

/** Those that are there still, by their first domain. */
async function namedSites(tx: Transaction, ids: number[]) {
  if (ids.length === 0) return new Map<number, { clientId: number; name: string }>();
  const rows = await tx
    .select({ id: site.id, clientId: site.clientId, name: siteDomain.domain })
    .from(site)
    .leftJoin(siteDomain, and(eq(siteDomain.siteId, site.id), eq(siteDomain.position, 0)))
    .where(inArray(site.id, ids));
  return new Map(rows.map(({ id, clientId, name }) => [id, { clientId, name: name ?? '' }]));
}
