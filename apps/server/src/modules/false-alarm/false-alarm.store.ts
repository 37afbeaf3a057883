import type { AccessLogRecord, falseAlarmRoutes, FalseAlarm, FalseAlarmLine } from '@breakwater/contract';
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { among, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { falseAlarm, site } from '../../db/schema.ts';
import { siteNameOf } from '../../db/site-name.ts';
import { recordEvent } from '../../events/record-event.ts';
import { joinNotes } from '../../join-notes.ts';
import type { Session } from '../../plugins/session.ts';
import { authorName, owned, seesAll, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { ruleRefsOfLines } from '../statistics/rule-refs.store.ts';

type Query = z.output<typeof falseAlarmRoutes.listFalseAlarms.query>;
type Report = z.output<typeof falseAlarmRoutes.reportFalseAlarm.body>;
type Answer = z.output<typeof falseAlarmRoutes.handleFalseAlarm.body>;

export async function listFalseAlarms(db: Db, scope: Scope, query: Query) {
  const where = and(
    owned(falseAlarm, scope),
    among(falseAlarm.id, query.ids),
    query.state && (query.state === 'open' ? isNull : isNotNull)(falseAlarm.outcome),
    query.site_id ? eq(falseAlarm.siteId, query.site_id) : undefined,
    query.client_id ? eq(falseAlarm.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const rows = await db
    .select({
      alarm: falseAlarm,
      siteName: siteNameOf(falseAlarm.siteId),
    })
    .from(falseAlarm)
    .where(where)
    .orderBy(desc(falseAlarm.createdAt), desc(falseAlarm.id))
    .limit(limit)
    .offset(offset);
  const rules = await ruleRefsOfLines(
    db,
    scope,
    rows.map(({ alarm: { siteId, line } }) => ({ ...line, site_id: siteId })),
  );
  const list = rows.map(({ alarm, siteName }, index): FalseAlarm => ({
    id: alarm.id,
    version: alarm.version,
    client_id: alarm.clientId,
    site_id: alarm.siteId,
    site_name: siteName,
    request_id: alarm.requestId,
    line: alarm.line,
    ...rules[index]!,
    note: alarm.note,
    reported_by: authorName(scope, alarm.byOperator ? 'admin' : null, alarm.reportedBy),
    state: alarm.outcome === null ? 'open' : 'handled',
    outcome: alarm.outcome,
    answer: alarm.answer,
    handled_by: seesAll(scope) ? (alarm.handledBy ?? '') : '',
    handled_at: isoOrNull(alarm.handledAt),
    created_at: iso(alarm.createdAt),
  }));
  return listPage(query, list, await db.$count(falseAlarm, where));
}

interface Reporter {
  session: Session;
  scope: Scope;
}

/**
 * Answers the first report where there is one: two that report at once mean the same. What the later one wrote is added to it, and
 * refused once it is handled, where nobody would read it.
 */
export async function reportFalseAlarm(
  { db, logStore }: Pick<Services, 'db' | 'logStore'>,
  { session, scope }: Reporter,
  { site_id: siteId, request_id: requestId, note }: Report,
): Promise<{ id: number }> {
  const [found] = await db
    .select({ clientId: site.clientId })
    .from(site)
    .where(and(eq(site.id, siteId), owned(site, scope)));
  if (!found) throw invalid('site_id', 'not_an_option');
  const filters = { site_id: siteId, request_id: requestId };
  const { list } = await logStore.search(scope, filters, { current_page: 1, page_size: 1 });
  const [line] = list;
  if (!line || (line.decision === '' && line.waf === '')) throw invalid('request_id', 'false_alarm_line');
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(falseAlarm)
      .values({
        clientId: found.clientId,
        siteId,
        requestId,
        line: keptOf(line),
        note,
        reportedBy: session.name,
        byOperator: session.kind === 'admin',
      })
      .onConflictDoNothing()
      .returning({ id: falseAlarm.id });
    if (!made) return addToReport(tx, { siteId, requestId }, note);
    await recordEvent(tx, {
      kind: 'created',
      subject: { kind: 'false_alarm', id: made.id, name: line.host },
      clientId: found.clientId,
      actor: session,
      data: { facts: { decision: line.decision || line.waf, host: line.host } },
    });
    return made;
  });
}

/** Whoever handles it has to have read what is added: the version says so. */
async function addToReport(tx: Transaction, of: { siteId: number; requestId: string }, note: string) {
  const where = and(eq(falseAlarm.siteId, of.siteId), eq(falseAlarm.requestId, of.requestId));
  const [there] = await tx.select().from(falseAlarm).where(where).for('update');
  const joined = joinNotes(there!.note, note);
  if (joined !== there!.note) {
    if (there!.outcome !== null) throw invalid('note', 'false_alarm_handled');
    await tx
      .update(falseAlarm)
      .set({ note: joined, version: sql`${falseAlarm.version} + 1` })
      .where(where);
  }
  return { id: there!.id };
}

const keptOf = (line: AccessLogRecord): FalseAlarmLine => ({
  time: new Date(line.time).toISOString(),
  host: line.host,
  method: line.method,
  request_uri: line.request_uri,
  remote_addr: line.remote_addr,
  user_agent: line.user_agent,
  status: line.status,
  decision: line.decision,
  waf: line.waf,
  waf_part: line.waf_part,
});

/** Of two that handle it at once, the second has to have seen what the first did, and what was reported since. */
export function handleFalseAlarm(
  db: Db,
  { session, scope }: Reporter,
  id: number,
  { version, outcome, answer }: Answer,
): Promise<void> {
  return db.transaction(async (tx) => {
    const [done] = await tx
      .update(falseAlarm)
      .set({
        outcome,
        answer,
        handledBy: session.name,
        handledAt: sql`now()`,
        version: sql`${falseAlarm.version} + 1`,
      })
      .where(and(eq(falseAlarm.id, id), eq(falseAlarm.version, version), owned(falseAlarm, scope)))
      .returning();
    if (!done) {
      const isThere = await tx.$count(falseAlarm, and(eq(falseAlarm.id, id), owned(falseAlarm, scope)));
      throw isThere === 0 ? notFound() : new ApiError('stale_version');
    }
    await recordEvent(tx, {
      kind: 'updated',
      subject: { kind: 'false_alarm', id, name: done.line.host },
      clientId: done.clientId,
      actor: session,
      data: { facts: { outcome, host: done.line.host } },
    });
  });
}
