import { allows, describeMenu, menuRoutes, screens } from '@breakwater/contract';
import { and, eq, gte, ne } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { operation } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { holderOf } from '../../plugins/session.ts';

const dayMs = 86_400_000;

export const menuModule = implement(menuRoutes, {
  getMenu: async ({ services, session, language }) => {
    const holder = holderOf(session);
    const badges = allows(screens.tasks.access, holder) ? await readBadges(services.db) : {};
    return { role: holder.role, menu: describeMenu(holder, language, badges) };
  },
});

/**
 * What an operator should look at: tasks that failed within a day. Nothing to look at is no badge. Bad lines of a batch are for
 * whoever sent them.
 */
async function readBadges(db: Db): Promise<Record<string, string>> {
  const since = new Date(Date.now() - dayMs);
  const failed = await db.$count(
    operation,
    and(eq(operation.state, 'failed'), gte(operation.createdAt, since), ne(operation.kind, 'site_batch')),
  );
  return failed === 0 ? {} : { [screens.tasks.path]: String(failed) };
}
