import type { siteRefreshRoutes } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { invalid } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { siteRefreshPattern } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvent } from '../../events/record-event.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { partsOfSites } from './refresh-targets.ts';

type Wanted = z.output<typeof siteRefreshRoutes.createPatternRefresh.body>;

/** What nodes have cannot be known here: they are asked, one part of their caches after the other (`pattern-refresh.job.ts`). */
export function refreshByPattern(db: Db, { session, scope }: Author, wanted: Wanted) {
  return db.transaction(async (tx) => {
    const [part] = await partsOfSites(tx, scope, [wanted.site_id], () =>
      invalid('site_id', 'does_not_exist'),
    );
    const { siteId, clientId, name, lineGroupId } = part!;
    const nodes = await rowsOf<{ id: number }>(
      tx,
      sql`SELECT n.id FROM node n JOIN node_line_group l ON l.node_id = n.id
          WHERE l.line_group_id = ${lineGroupId} AND n.enabled ORDER BY n.id`,
    );
    const kind = 'site_refresh_pattern';
    const operationId = await createOperation(tx, {
      kind,
      title: `${name} ${wanted.pattern}`,
      subjectKind: kind,
      clientId,
      total: 100 * nodes.length,
      createdBy: session.name,
    });
    const { pattern, mode, rate } = wanted;
    const [row] = await tx
      .insert(siteRefreshPattern)
      .values({
        siteId,
        operationId,
        pattern,
        mode,
        rate,
        nodes: nodes.map(({ id }) => ({ id, after: '', share: 0, misses: 0 })),
        authorType: session.kind,
        createdBy: session.name,
      })
      .returning({ id: siteRefreshPattern.id });
    await tx.execute(sql`UPDATE operation SET subject_id = ${row!.id} WHERE id = ${operationId}`);
    await addItems(tx, operationId, [{ kind }]);
    await recordEvent(tx, {
      kind: 'cache_refreshed',
      subject: { kind: 'site', id: siteId, name },
      clientId,
      actor: session,
      data: { facts: { pattern, mode } },
    });
    return { task_id: operationId };
  });
}

export async function readPattern(db: Db, id: number) {
  const [row] = await db.select().from(siteRefreshPattern).where(eq(siteRefreshPattern.id, id));
  return row;
}
