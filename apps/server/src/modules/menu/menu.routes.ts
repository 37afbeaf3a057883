import { describeMenu, menuRoutes, screens, type Role } from '@breakwater/contract';
import { and, eq, gte } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { task } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';

const dayMs = 86_400_000;

export const menuModule = implement(menuRoutes, {
  getMenu: async ({ services, session, language }) => {
    const role: Role = session.kind === 'admin' ? 'admin' : 'user';
    const badges = role === 'admin' ? await readBadges(services.db) : {};
    return { role, menu: describeMenu(role, language, badges) };
  },
});

/** What an operator should look at: tasks that failed within a day. Nothing to look at is no badge. */
async function readBadges(db: Db): Promise<Record<string, string>> {
  const since = new Date(Date.now() - dayMs);
  const failed = await db.$count(task, and(eq(task.status, 'failed'), gte(task.createdAt, since)));
  return failed === 0 ? {} : { [screens.tasks.path]: String(failed) };
}
