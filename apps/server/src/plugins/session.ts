import {
  apiTokenPrefix,
  permissions,
  tokenPermissions,
  userPermissions,
  type Holder,
  type Permission,
} from '@breakwater/contract';
import { isTextIn, parseNetworks } from '@breakwater/policy/ip';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import { createHash } from 'node:crypto';
import { ApiError } from '../api-error.ts';
import type { Db } from '../db/database.ts';
import * as schema from '../db/schema.ts';
import { everything, ofClient, type Scope } from '../scope.ts';
import type { Services } from '../services.ts';

interface Caller {
  id: number;
  name: string;
  permissions: ReadonlySet<Permission>;
  /** The row of its session; absent where it came with an API token, or is not calling at all. */
  sessionId?: string;
  /** The API token that it came with. */
  token?: { id: number; name: string };
  /** The sites that its token is limited to. */
  sites?: readonly number[];
}
export interface AdminSession extends Caller {
  kind: 'admin';
}
export interface ClientSession extends Caller {
  kind: 'client';
}
export type Session = AdminSession | ClientSession;
/** Which listener a request came in on; tokens of one are worth nothing on the other. */
export type Audience = 'admin' | 'user';

/** A token says who, for which listener, and in which session; everything else is read when it is used. */
export async function issueToken(
  services: Services,
  audience: Audience,
  id: number,
  sessionId: string,
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(id))
    .setAudience(audience)
    .setJti(sessionId)
    .setIssuedAt()
    .setExpirationTime(`${services.config.sessionSeconds}s`)
    .sign(services.secrets.sessionKey);
}

/**
 * The session of a request, or what its API token stands for. Throws `session_ended` without a good token,
 * `session_revoked` when the account or its session is no more, `api_token_invalid` for an API token that is not good.
 */
export async function readSession(
  services: Services,
  audience: Audience,
  request: FastifyRequest,
): Promise<Session> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ApiError('session_ended');
  if (token.startsWith(apiTokenPrefix)) return readApiToken(services, audience, request, token);
  const verified = await jwtVerify(token, services.secrets.sessionKey, {
    audience,
    algorithms: ['HS256'],
  }).catch(() => undefined);
  const id = Number(verified?.payload.sub);
  const sessionId = verified?.payload.jti;
  if (sessionId === undefined || !uuid.test(sessionId) || !Number.isSafeInteger(id))
    throw new ApiError('session_ended');
  const reads = readsOf(services.db);
  const [row] = await (audience === 'admin' ? reads.admin : reads.client).execute({ id, sessionId });
  if (!row) throw new ApiError('session_revoked');
  if (isDue(row.lastUsedAt)) await noteUse(services.db, sessionId, request);
  return { ...callerOf(row), sessionId };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Every request of a person asks one of these, so they are built and planned once. A customer is signed in only while active (spec §4). */
function prepareReads(db: Db) {
  const { accountSession, adminGroup, adminUser, apiToken, client } = schema;
  const sessionId = sql.placeholder('sessionId');
  const hash = sql.placeholder('hash');
  const admin = { id: adminUser.id, name: adminUser.username, held: adminGroup.permissions };
  const customer = { id: client.id, name: client.name };
  const isActive = eq(client.status, 'active');
  return {
    admin: db
      .select({ ...admin, lastUsedAt: accountSession.lastUsedAt })
      .from(accountSession)
      .innerJoin(adminUser, and(eq(adminUser.id, accountSession.adminUserId), adminUser.enabled))
      .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
      .where(and(eq(accountSession.id, sessionId), eq(adminUser.id, sql.placeholder('id'))))
      .prepare('session_admin'),
    client: db
      .select({ ...customer, lastUsedAt: accountSession.lastUsedAt })
      .from(accountSession)
      .innerJoin(client, and(eq(client.id, accountSession.clientId), isActive))
      .where(and(eq(accountSession.id, sessionId), eq(client.id, sql.placeholder('id'))))
      .prepare('session_client'),
    adminToken: db
      .select({ ...admin, token: apiToken })
      .from(apiToken)
      .innerJoin(adminUser, and(eq(adminUser.id, apiToken.adminUserId), adminUser.enabled))
      .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
      .where(eq(apiToken.hash, hash))
      .prepare('token_admin'),
    clientToken: db
      .select({ ...customer, token: apiToken })
      .from(apiToken)
      .innerJoin(client, and(eq(client.id, apiToken.clientId), isActive))
      .where(eq(apiToken.hash, hash))
      .prepare('token_client'),
  };
}

const prepared = new WeakMap<Db, ReturnType<typeof prepareReads>>();
function readsOf(db: Db) {
  const reads = prepared.get(db) ?? prepareReads(db);
  prepared.set(db, reads);
  return reads;
}

/** Only administrators have a group that says what they hold. */
function callerOf({ id, name, held }: { id: number; name: string; held?: readonly string[] }): Session {
  return held === undefined
    ? { kind: 'client', id, name, permissions: ofCustomers }
    : { kind: 'admin', id, name, permissions: heldOf(held) };
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

async function readApiToken(
  { db }: Services,
  audience: Audience,
  request: FastifyRequest,
  text: string,
): Promise<Session> {
  const reads = readsOf(db);
  const read = audience === 'admin' ? reads.adminToken : reads.clientToken;
  const [row] = await read.execute({ hash: hashToken(text) });
  if (!row) throw new ApiError('api_token_invalid');
  const { token } = row;
  const isOver = token.expiresAt !== null && token.expiresAt.getTime() <= Date.now();
  const isForeign = token.networks.length > 0 && !isTextIn(request.ip, parseNetworks(token.networks));
  if (isOver || isForeign) throw new ApiError('api_token_invalid');
  if (token.lastUsedAt === null || isDue(token.lastUsedAt)) await noteTokenUse(db, token.id, request);
  const caller = callerOf(row);
  const given = new Set(token.permissions.filter((name) => tokenPermissions.includes(name)));
  return {
    ...caller,
    permissions: caller.permissions.intersection(given),
    token: { id: token.id, name: token.name },
    ...(token.siteIds.length > 0 ? { sites: token.siteIds } : {}),
  };
}

/** For routes that no API token comes to. */
export function sessionIdOf({ sessionId }: Session): string {
  if (sessionId === undefined) throw new ApiError('session_ended');
  return sessionId;
}

/** A use is noted once a minute, however many there are. */
const noteMilliseconds = 60_000;
const isDue = (lastUsedAt: Date): boolean => Date.now() - lastUsedAt.getTime() > noteMilliseconds;

async function noteUse(db: Db, id: string, { ip }: FastifyRequest): Promise<void> {
  const { accountSession: table } = schema;
  await db
    .update(table)
    .set({ lastUsedAt: new Date(), ip })
    // Of many at once, one writes.
    .where(and(eq(table.id, id), lt(table.lastUsedAt, new Date(Date.now() - noteMilliseconds))));
}

async function noteTokenUse(db: Db, id: number, { ip }: FastifyRequest): Promise<void> {
  const { apiToken: table } = schema;
  await db.update(table).set({ lastUsedAt: new Date(), lastUsedIp: ip }).where(eq(table.id, id));
}

/** What of a stored set the catalogue still has. */
export const heldOf = (names: readonly string[]): ReadonlySet<Permission> =>
  new Set(names.filter((name): name is Permission => Object.hasOwn(permissions, name)));

/** A customer holds all that customers can hold. */
export const ofCustomers: ReadonlySet<Permission> = new Set(userPermissions);

export const holderOf = ({ kind, permissions: held, token }: Session): Holder => ({
  role: kind === 'admin' ? 'admin' : 'user',
  permissions: held,
  byToken: token !== undefined,
});

export const scopeOf = ({ kind, id, sites }: Session): Scope => ({
  ...(kind === 'admin' ? everything : ofClient(id)),
  ...(sites === undefined ? {} : { sites }),
});
