import {
  allows,
  type Access,
  siteBatchRoutes,
  siteDraftRoutes,
  type SiteBatchInput,
} from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { adminGroup, adminUser, client, member } from '../../db/schema.ts';
import type { Operation } from '../../jobs/define-job.ts';
import { callerOf, holderOf, scopeOf, type Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';

export interface BatchAuthor {
  session: Session;
  scope: Scope;
}

/** What a batch asks of whoever it runs for: what the route asks for that starts one of its kind. */
export const accessOf = {
  create: siteBatchRoutes.createSiteBatch.access,
  import: siteDraftRoutes.importSiteDrafts.access,
  section: siteBatchRoutes.changeSitesSection.access,
  certificates: siteBatchRoutes.changeSitesSection.access,
  status: siteBatchRoutes.changeSitesStatus.access,
  sync: siteBatchRoutes.syncSites.access,
  remove: siteBatchRoutes.removeSites.access,
  remove_forced: siteBatchRoutes.removeSitesForced.access,
} satisfies Record<SiteBatchInput['kind'], Access>;

/** Who started a batch, if that account may still do what the batch does: a batch outlives a session. */
export async function readAuthor(
  db: Db,
  { authorType, authorId }: Pick<Operation, 'authorType' | 'authorId'>,
  kind: SiteBatchInput['kind'],
): Promise<BatchAuthor | undefined> {
  if (authorType === null || authorId === null) return undefined;
  const session = await readers[authorType](db, authorId);
  if (!session || !allows(accessOf[kind], holderOf(session))) return undefined;
  return { session, scope: scopeOf(session) };
}

async function readAdmin(db: Db, id: number): Promise<Session | undefined> {
  const [user] = await db
    .select({ id: adminUser.id, name: adminUser.username, held: adminGroup.permissions })
    .from(adminUser)
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
    .where(and(eq(adminUser.id, id), eq(adminUser.enabled, true)));
  return user && callerOf(user);
}

async function readClient(db: Db, id: number): Promise<Session | undefined> {
  const [user] = await db
    .select()
    .from(client)
    .where(and(eq(client.id, id), eq(client.status, 'active')));
  return user && callerOf({ client: user, member: null });
}

async function readMember(db: Db, id: number): Promise<Session | undefined> {
  const [row] = await db
    .select()
    .from(member)
    .innerJoin(client, and(eq(client.id, member.clientId), eq(client.status, 'active')))
    .where(and(eq(member.id, id), member.enabled));
  return row && callerOf({ client: row.client, member: { ...row.member, held: row.member.permissions } });
}

const readers = { admin: readAdmin, client: readClient, member: readMember };
