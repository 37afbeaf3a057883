import { permissions, userPermissions, type Holder, type Permission } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import { ApiError } from '../api-error.ts';
import type { Db } from '../db/database.ts';
import * as schema from '../db/schema.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services.ts';

export interface AdminSession {
  kind: 'admin';
  id: number;
  name: string;
  permissions: ReadonlySet<Permission>;
}
export interface ClientSession {
  kind: 'client';
  id: number;
  name: string;
  permissions: ReadonlySet<Permission>;
}
export type Session = AdminSession | ClientSession;
/** Which listener a request came in on; tokens of one are worth nothing on the other. */
export type Audience = 'admin' | 'user';

/** A token says who, for which listener, and in which epoch of the account; everything else is read when it is used. */
export async function issueToken(
  services: Services,
  audience: Audience,
  id: number,
  epoch: number,
): Promise<string> {
  return new SignJWT({ epoch })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(id))
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${services.config.sessionSeconds}s`)
    .sign(services.secrets.sessionKey);
}

/** The session of a request. Throws `session_ended` without a good token, `session_revoked` when the account said so. */
export async function readSession(
  services: Services,
  audience: Audience,
  request: FastifyRequest,
): Promise<Session> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ApiError('session_ended');
  const verified = await jwtVerify(token, services.secrets.sessionKey, {
    audience,
    algorithms: ['HS256'],
  }).catch(() => undefined);
  const id = Number(verified?.payload.sub);
  if (!verified || !Number.isSafeInteger(id)) throw new ApiError('session_ended');
  const epoch = verified.payload.epoch;
  return audience === 'admin' ? readAdmin(services, id, epoch) : readClient(services, id, epoch);
}

/** Every request of a person asks these, so they are built and planned once. */
function prepareReads(db: Db) {
  const { adminGroup, adminUser, client } = schema;
  const id = sql.placeholder('id');
  return {
    admin: db
      .select({
        username: adminUser.username,
        held: adminGroup.permissions,
        enabled: adminUser.enabled,
        sessionEpoch: adminUser.sessionEpoch,
      })
      .from(adminUser)
      .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
      .where(eq(adminUser.id, id))
      .prepare('session_admin'),
    client: db
      .select({ name: client.name, status: client.status, sessionEpoch: client.sessionEpoch })
      .from(client)
      .where(eq(client.id, id))
      .prepare('session_client'),
  };
}

const prepared = new WeakMap<Db, ReturnType<typeof prepareReads>>();
function readsOf(db: Db) {
  const reads = prepared.get(db) ?? prepareReads(db);
  prepared.set(db, reads);
  return reads;
}

async function readAdmin({ db }: Services, id: number, epoch: unknown): Promise<AdminSession> {
  const [user] = await readsOf(db).admin.execute({ id });
  if (!user || !user.enabled || user.sessionEpoch !== epoch) throw new ApiError('session_revoked');
  return { kind: 'admin', id, name: user.username, permissions: heldOf(user.held) };
}

/** What of a stored set the catalogue still has. */
export const heldOf = (names: readonly string[]): ReadonlySet<Permission> =>
  new Set(names.filter((name): name is Permission => Object.hasOwn(permissions, name)));

/** A customer holds all that customers can hold. */
export const ofCustomers: ReadonlySet<Permission> = new Set(userPermissions);

export const holderOf = ({ kind, permissions: held }: Session): Holder => ({
  role: kind === 'admin' ? 'admin' : 'user',
  permissions: held,
});

/** A customer is signed in only while active (spec §4). */
async function readClient({ db }: Services, id: number, epoch: unknown): Promise<ClientSession> {
  const [user] = await readsOf(db).client.execute({ id });
  if (!user || user.status !== 'active' || user.sessionEpoch !== epoch) throw new ApiError('session_revoked');
  return { kind: 'client', id, name: user.name, permissions: ofCustomers };
}

export const scopeOf = (session: Session): Scope =>
  session.kind === 'admin' ? { all: true } : { clientId: session.id };
