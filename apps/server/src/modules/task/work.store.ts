import { workListMax, workShownMinutes, type Permission } from '@breakwater/contract';
import { and, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { operation } from '../../db/schema.ts';
import type { Session } from '../../plugins/session.ts';
import { owned, type Scope } from '../../scope.ts';
import { present, selectTasks } from './task.store.ts';

/** What operations are about, and what shows that; whoever may read tasks sees all. */
const shownBy: Record<string, Permission> = {
  site: 'site.read',
  site_batch: 'site.read',
  site_prefetch: 'site.read',
  site_level: 'site_level.read',
  order: 'order.read',
  certificate: 'certificate.read',
  certificate_order: 'certificate.read',
  address_list: 'address_list.read',
  ip_data: 'ip_data.read',
  access_log: 'access_log.read',
  domain_name_blacklist: 'domain_name_blacklist.read',
};

/** What is under way, then what ended lately, newest first; scoped, and of what the session may read. */
export async function readWork(db: Db, scope: Scope, { permissions }: Pick<Session, 'permissions'>) {
  const kinds = Object.entries(shownBy).flatMap(([kind, asked]) => (permissions.has(asked) ? [kind] : []));
  const seen = and(
    permissions.has('task.read') ? undefined : inArray(operation.subjectKind, kinds),
    ownedWork(scope),
  );
  const isOpen = inArray(operation.state, ['pending', 'running']);
  const endedWithin = (minutes: number) =>
    sql`${operation.finishedAt} > now() - make_interval(mins => ${minutes})`;
  const lately = or(
    endedWithin(workShownMinutes.ended),
    and(eq(operation.state, 'failed'), endedWithin(workShownMinutes.failed)),
  );
  const [rows, open] = await Promise.all([
    selectTasks(db)
      .where(and(seen, or(isOpen, lately)))
      .orderBy(sql`${operation.finishedAt} IS NULL DESC`, desc(operation.id))
      .limit(workListMax),
    db.$count(operation, and(seen, isOpen)),
  ]);
  const list = rows.map((row) => {
    const { created_by: _, ...item } = present(row);
    return item;
  });
  return { open, list };
}

/** Of what is about one site, a scope of certain sites holds a part; of anything else all or nothing. */
function ownedWork(scope: Scope): SQL | undefined {
  const whole = owned(operation, scope);
  const ofSite = owned({ clientId: operation.clientId, siteId: operation.subjectId }, scope);
  return whole && or(whole, and(eq(operation.subjectKind, 'site'), ofSite));
}
