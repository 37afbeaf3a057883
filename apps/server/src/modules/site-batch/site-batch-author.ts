import { siteBatchRoutes, siteDraftRoutes, type Permission, type SiteBatchInput } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { adminGroup, adminUser, client } from '../../db/schema.ts';
import type { Operation } from '../../jobs/define-job.ts';
import { heldOf, ofCustomers, scopeOf, type Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';

export interface BatchAuthor {
  session: Session;
  scope: Scope;
}

/** What a batch asks of whoever it runs for: what the route asks for that starts one of its kind. */
export const permissionOf: Record<SiteBatchInput['kind'], Permission> = {
  create: siteBatchRoutes.createSiteBatch.access.permission,
  import: siteDraftRoutes.importSiteDrafts.access.permission,
  section: siteBatchRoutes.changeSitesSection.access.permission,
  status: siteBatchRoutes.changeSitesStatus.access.permission,
  sync: siteBatchRoutes.syncSites.access.permission,
  remove: siteBatchRoutes.removeSites.access.permission,
  remove_forced: siteBatchRoutes.removeSitesForced.access.permission,
};

/** Who started a batch, if that account may still do what the batch does: a batch outlives a session. */
export async function readAuthor(
  db: Db,
  { authorType, authorId }: Pick<Operation, 'authorType' | 'authorId'>,
  kind: SiteBatchInput['kind'],
): Promise<BatchAuthor | undefined> {
  if (authorType === null || authorId === null) return undefined;
  const session = await (authorType === 'admin' ? readAdmin : readClient)(db, authorId);
  if (!session?.permissions.has(permissionOf[kind])) return undefined;
  return { session, scope: scopeOf(session) };
}

async function readAdmin(db: Db, id: number): Promise<Session | undefined> {
  const [user] = await db
    .select({ name: adminUser.username, held: adminGroup.permissions })
    .from(adminUser)
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
    .where(and(eq(adminUser.id, id), eq(adminUser.enabled, true)));
  return user && { kind: 'admin', id, name: user.name, permissions: heldOf(user.held) };
}

async function readClient(db: Db, id: number): Promise<Session | undefined> {
  const [user] = await db
    .select()
    .from(client)
    .where(and(eq(client.id, id), eq(client.status, 'active')));
  return user && { kind: 'client', id, name: user.name, permissions: ofCustomers };
}
