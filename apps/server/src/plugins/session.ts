import {
  apiTokenPrefix,
  permissions,
  tokenPermissions,
  userPermissions,
  type Holder,
  type Permission,
} from '@breakwater/contract';
import { isTextIn, parseNetworks } from '@breakwater/policy/address/ip';
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
  /** The sites that it is limited to, as a member or by its token. */
  sites?: readonly number[];
}
export interface AdminSession extends Caller {
  kind: 'admin';
}
interface ClientSession extends Caller {
  kind: 'client';
}
/** Somebody who signed in to a customer's account, with permissions of their own. */
interface MemberSession extends Caller {
  kind: 'member';
  clientId: number;
}
export type CustomerSession = ClientSession | MemberSession;
export type Session = AdminSession | CustomerSession;
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
  const { accountSession, adminGroup, adminUser, apiToken, client, member } = schema;
  const sessionId = sql.placeholder('sessionId');
  const hash = sql.placeholder('hash');
  const admin = { id: adminUser.id, name: adminUser.username, held: adminGroup.permissions };
  const { id, name, permissions: held, siteIds } = member;
  const customer = { client: { id: client.id, name: client.name }, member: { id, name, held, siteIds } };
  /** Of what is a customer's or a member's: the member, and the customer whose account it is. */
  const isMember = (owner: typeof accountSession | typeof apiToken) =>
    and(eq(member.id, owner.memberId), member.enabled);
  const isCustomer = (owner: typeof accountSession | typeof apiToken) =>
    and(eq(client.id, sql`coalesce(${owner.clientId}, ${member.clientId})`), eq(client.status, 'active'));
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
      .leftJoin(member, isMember(accountSession))
      .innerJoin(client, isCustomer(accountSession))
      .where(
        and(
          eq(accountSession.id, sessionId),
          eq(sql`coalesce(${member.id}, ${client.id})`, sql.placeholder('id')),
        ),
      )
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
      .leftJoin(member, isMember(apiToken))
      .innerJoin(client, isCustomer(apiToken))
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

type AdminRow = { id: number; name: string; held: string[] };
interface MemberRow extends AdminRow {
  siteIds: number[];
}
interface CustomerRow {
  client: { id: number; name: string };
  member: MemberRow | null;
}

/** A customer holds all that customers can hold; a member holds what they were given of it. */
export function callerOf(row: AdminRow | CustomerRow): Session {
  if (!('client' in row)) {
    const { id, name, held } = row;
    return { kind: 'admin', id, name, permissions: heldOf(held) };
  }
  const { client, member } = row;
  if (member === null) return { kind: 'client', id: client.id, name: client.name, permissions: ofCustomers };
  const { id, name, held, siteIds } = member;
  return {
    kind: 'member',
    id,
    name,
    clientId: client.id,
    permissions: ofCustomers.intersection(heldOf(held)),
    ...(siteIds.length > 0 ? { sites: siteIds } : {}),
  };
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
    ...(token.siteIds.length > 0
      ? { sites: token.siteIds.filter((id) => caller.sites?.includes(id) ?? true) }
      : {}),
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

const ofCustomers: ReadonlySet<Permission> = new Set(userPermissions);

export const holderOf = ({ kind, permissions: held, token, sites }: Session): Holder => ({
  role: kind === 'admin' ? 'admin' : 'user',
  permissions: held,
  byToken: token !== undefined,
  limited: sites !== undefined,
});

/** The customer whose account it is; null for the platform's own. */
export function clientIdOf(session: Session): number | null {
  if (session.kind === 'admin') return null;
  return session.kind === 'member' ? session.clientId : session.id;
}

/** By what limits count: a customer and all members of their account together. */
export function countedAccountOf(session: Session): string {
  const clientId = clientIdOf(session);
  return clientId === null ? `admin:${session.id}` : `client:${clientId}`;
}

export function scopeOf(session: Session): Scope {
  const clientId = clientIdOf(session);
  const { sites } = session;
  return {
    ...(clientId === null ? everything : ofClient(clientId)),
    ...(sites === undefined ? {} : { sites }),
  };
}
