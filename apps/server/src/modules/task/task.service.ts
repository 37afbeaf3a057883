import { sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import { operation } from '../../db/schema.ts';
import { retrySubTasks } from '../../delivery/tasks.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { addItems, cancelOperation, createOperation, retryItems } from '../../jobs/operation.store.ts';
import type { Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { finishedBefore, getTask } from './task.store.ts';

/** Answers how many parts are done again. Throws `forbidden` for whoever could not have started such a task. */
export async function retryTask(
  services: Services,
  session: Session,
  id: number,
): Promise<{ parts: number }> {
  await mayChange(services, session, id);
  const parts = await services.db.transaction(async (tx) => {
    // Locked by the items first: so does whoever ends them.
    const again = await retryItems(tx, id);
    return again > 0 ? again : retrySubTasks(tx, id);
  });
  return { parts };
}

export async function cancelTask(services: Services, session: Session, id: number) {
  await mayChange(services, session, id);
  await services.db.transaction((tx) => cancelOperation(tx, id));
  return getTask(services.db, id);
}

async function mayChange({ db, jobs }: Services, session: Session, id: number): Promise<void> {
  const [row] = await rowsOf<{ kind: string }>(db, sql`SELECT kind FROM operation WHERE id = ${id}`);
  if (!row) throw notFound();
  const job = jobs.jobs.find(({ kind }) => kind === row.kind);
  const asked = await job?.permission?.(db, id);
  if (asked !== undefined && !session.permissions.has(asked)) throw new ApiError('forbidden');
}

/**
 * A task that deletes what ended before, and never what ends after it was asked for. Refused where that is more or less than
 * whoever asks was shown.
 */
export function startTaskRemoval(
  { db }: Services,
  session: Session,
  { before, expected_total: expected }: { before: string; expected_total: number },
): Promise<{ id: number }> {
  const time = new Date(Math.min(Date.parse(before), Date.now()));
  const key = time.toISOString();
  return db.transaction(async (tx) => {
    const total = await tx.$count(operation, finishedBefore(time));
    if (total !== expected)
      throw new ApiError('selection_changed', [
        { path: 'expected_total', issue: `total_differs:${expected}:${total}` },
      ]);
    const id = await createOperation(tx, {
      kind: 'task_removal',
      title: `< ${key}`,
      subjectKind: 'task',
      createdBy: session.name,
    });
    await addItems(tx, id, [{ kind: 'task', key }]);
    return { id };
  });
}
