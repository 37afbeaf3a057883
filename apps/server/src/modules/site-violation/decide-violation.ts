import type { ViolationDecision, ViolationState } from '@breakwater/contract';
import { and, eq, sql } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { site, siteViolation, siteVisit } from '../../db/schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import { owned } from '../../scope.ts';
import { setSiteStatus } from '../site/site.service.ts';
import {
  lockSite,
  publishSite,
  siteSubject,
  siteTask,
  siteWithin,
  toPublished,
  type Author,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';
import { offlinePagesMax } from './found-violations.ts';

/** What operators and customers do about a violation. */

type Row = typeof siteViolation.$inferSelect;

const states: Record<ViolationDecision, ViolationState> = {
  confirm: 'confirmed',
  offline: 'confirmed',
  lift: 'confirmed',
  suspend: 'confirmed',
  dismiss: 'dismissed',
};

/**
 * With all that follows, or nothing of it. The task is that of the nodes, where they are told something. Throws `stale_version`
 * where it was decided, appealed against, or its page went offline or back since that version.
 */
export function decideViolation(
  services: SiteWriter,
  author: Author,
  id: number,
  { version, decision, note }: { version: number; decision: ViolationDecision; note: string },
): Promise<{ task_id: number | null }> {
  return services.db.transaction(async (tx) => {
    const { published, row } = await lockViolation(tx, author, id, version);
    const isSubmitted = row.source === 'submitted';
    if (isSubmitted && (decision === 'offline' || decision === 'lift'))
      throw invalid('decision', 'violation_submitted');
    const set = { state: states[decision], note, decidedBy: author.session.name, decidedAt: new Date() };
    await tx
      .update(siteViolation)
      .set({ ...set, version: version + 1 })
      .where(eq(siteViolation.id, id));
    let taskId: number | null = null;
    if (decision === 'suspend') {
      const writer = { ...services, db: tx };
      taskId = (await setSiteStatus(writer, author, row.siteId, { status: 'suspended', note })).task_id;
    }
    // What was sent to a page says nothing of what the page delivers.
    const isOfPage = !isSubmitted && decision !== 'confirm' && decision !== 'suspend';
    if (isOfPage && (await setPage(tx, row, decision === 'offline')))
      taskId = await publishSite(
        tx,
        services.secrets,
        published,
        siteTask('site_update', published, author.session),
      );
    await recordEvent(tx, {
      kind: 'violation_decided',
      subject: siteSubject(published),
      clientId: published.clientId,
      actor: author.session,
      data: { facts: { page: row.host + row.requestUri, word: row.word, decision } },
    });
    return { task_id: taskId };
  });
}

/** Under the lock of its site, with which all that is done about it begins. */
async function lockViolation(tx: Transaction, author: Author, id: number, version: number) {
  const { siteId } = await findViolation(tx, author, id);
  const published = toPublished(await lockSite(tx, siteWithin(author.scope, siteId)));
  const row = await findViolation(tx, author, id);
  if (row.version !== version) throw new ApiError('stale_version');
  return { published, row };
}

async function findViolation(tx: Transaction, { scope }: Author, id: number): Promise<Row> {
  const [row] = await tx
    .select({ violation: siteViolation })
    .from(siteViolation)
    .innerJoin(site, eq(site.id, siteViolation.siteId))
    .where(and(eq(siteViolation.id, id), owned(site, scope)));
  if (!row) throw notFound();
  return row.violation;
}

/** A page is offline or it is not, whatever was found in it. Returns whether that changed. */
async function setPage(
  tx: Transaction,
  { siteId, host, requestUri }: Row,
  isOffline: boolean,
): Promise<boolean> {
  const isBlocked = and(eq(siteViolation.siteId, siteId), eq(siteViolation.action, 'blocked'));
  if (isOffline && (await tx.$count(siteViolation, isBlocked)) >= offlinePagesMax)
    throw new ApiError('too_many');
  const ofPage = and(
    eq(siteViolation.siteId, siteId),
    eq(siteViolation.host, host),
    eq(siteViolation.requestUri, requestUri),
    eq(siteViolation.source, 'delivered'),
    eq(siteViolation.action, isOffline ? 'recorded' : 'blocked'),
  );
  const changed = await tx
    .update(siteViolation)
    .set({ action: isOffline ? 'blocked' : 'recorded', version: sql`${siteViolation.version} + 1` })
    .where(ofPage)
    .returning({ id: siteViolation.id });
  return changed.length > 0;
}

/**
 * Once until the operator has decided; not about what was dismissed. Throws `stale_version` where it was decided, or another of
 * the customer's appealed, since that version.
 */
export function appealViolation(
  { db }: SiteWriter,
  author: Author,
  id: number,
  { version, appeal }: { version: number; appeal: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const { published, row } = await lockViolation(tx, author, id, version);
    const isPending = row.appealedAt !== null && (row.decidedAt === null || row.decidedAt < row.appealedAt);
    if (row.state === 'dismissed' || isPending) throw invalid('appeal', 'violation_closed');
    await tx
      .update(siteViolation)
      .set({ appeal, appealedAt: new Date(), version: version + 1 })
      .where(eq(siteViolation.id, id));
    await recordEvent(tx, {
      kind: 'violation_appealed',
      subject: siteSubject(published),
      clientId: published.clientId,
      actor: author.session,
      data: { facts: { page: row.host + row.requestUri, word: row.word } },
    });
  });
}

/** The next run visits it first. */
export function visitSoon({ db }: SiteWriter, { scope }: Author, siteId: number): Promise<void> {
  return db.transaction(async (tx) => {
    await lockSite(tx, siteWithin(scope, siteId));
    await tx
      .insert(siteVisit)
      .values({ siteId, nextAt: new Date(0) })
      .onConflictDoUpdate({ target: siteVisit.siteId, set: { nextAt: sql`excluded.next_at` } });
  });
}
