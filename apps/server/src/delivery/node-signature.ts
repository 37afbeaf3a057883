import { timingSafeEqual } from 'node:crypto';
import {
  parseAuthorization,
  parseSessionAuthorization,
  sessionSignatureOf,
  signatureOf,
  type SessionAuthorization,
} from '@breakwater/agent/delivery/signature';
import { signatureWindowSeconds } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { NodeIdentity } from '../plugins/implement.ts';
import type { Services } from '../services.ts';
import type { NodeSession, NodeSessions } from './node-sessions.ts';
import { rowsOf, type Queryable } from './queryable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived, kept for calls of nodes: their signature is over its bytes. */
    rawBody: Buffer | undefined;
    /** The node that says it signed this; its signature is looked at once the body is there. */
    signer: Signer | SessionSigner | undefined;
  }
}

export interface SignedRequest {
  method: string;
  /** Path and query as they stand in the request line. */
  target: string;
  body: Uint8Array | string;
}

/** Why a request was refused: for the log, never for the caller. */
export type SignatureRefusal =
  | 'malformed'
  | 'clock'
  | 'unknown_node'
  | 'disabled_node'
  | 'signature'
  | 'session'
  | 'replay';
interface Refused {
  refusal: SignatureRefusal;
  appId?: string;
}
export type SignatureVerdict = { node: NodeIdentity } | Refused;

interface Signer {
  claim: NonNullable<ReturnType<typeof parseAuthorization>>;
  node: NodeRow;
}

/** Who says to have signed within a session. */
interface SessionSigner {
  sessionClaim: SessionAuthorization;
  session: NodeSession;
  node: NodeRow;
}

interface NodeRow {
  id: number;
  name: string;
  generation: number;
  app_secret: string;
  enabled: boolean;
}

/**
 * Before the body is read: whether a node that is known, and in service, says that it signs this now. Throws
 * `node_signature`.
 */
export async function identifyNode(services: Services, request: FastifyRequest): Promise<void> {
  const { authorization } = request.headers;
  const claim = parseSessionAuthorization(authorization);
  const found = claim
    ? await readSessionSigner(services.db, services.nodeSessions, claim)
    : await readSigner(services.db, authorization);
  if ('refusal' in found) throw refuse(services, request, found);
  request.signer = found;
}

/** The node that signed a request. Throws `node_signature`; the log says what was wrong, the caller is not told. */
export async function verifyNode(services: Services, request: FastifyRequest): Promise<NodeIdentity> {
  const { db, secrets } = services;
  const { signer } = request;
  const signed = {
    method: request.method,
    target: request.raw.url ?? request.url,
    body: request.rawBody ?? '',
  };
  const decrypt = (text: string) => secrets.decrypt(text);
  const verdict = !signer
    ? ({ refusal: 'malformed' } as const)
    : 'session' in signer
      ? checkSessionSignature(decrypt, signer, signed)
      : await checkSignature(db, decrypt, signer, signed);
  if ('node' in verdict) return verdict.node;
  throw refuse(services, request, verdict);
}

function refuse({ log }: Services, request: FastifyRequest, why: Refused): ApiError {
  log.warn({ ...why, ip: request.ip, method: request.method, path: request.url }, 'node request refused');
  return new ApiError('node_signature');
}

/** What the header alone says: who claims to have signed, and whether the time is one that is taken. */
export async function readSigner(
  database: Queryable,
  authorization: string | undefined,
  now: Date = new Date(),
): Promise<Signer | Refused> {
  const claim = parseAuthorization(authorization);
  if (!claim) return { refusal: 'malformed' };
  const { appId } = claim;
  if (Math.abs(now.getTime() / 1000 - claim.time) > signatureWindowSeconds)
    return { refusal: 'clock', appId };
  const [node] = await rowsOf<NodeRow>(
    database,
    sql`SELECT id, name, generation, app_secret, enabled FROM node WHERE app_id = ${appId}`,
  );
  if (!node) return { refusal: 'unknown_node', appId };
  return node.enabled ? { claim, node } : { refusal: 'disabled_node', appId };
}

/** The same for a call within a session: whose it is, and whether the node still is what it was when it was opened. */
async function readSessionSigner(
  database: Queryable,
  sessions: NodeSessions,
  sessionClaim: SessionAuthorization,
): Promise<SessionSigner | Refused> {
  const session = sessions.find(sessionClaim.session);
  if (!session) return { refusal: 'session' };
  const [node] = await rowsOf<NodeRow>(
    database,
    sql`SELECT id, name, generation, app_secret, enabled FROM node WHERE id = ${session.nodeId}`,
  );
  if (!node) return { refusal: 'unknown_node' };
  if (node.app_secret !== session.sealedSecret) return { refusal: 'session' };
  return node.enabled ? { sessionClaim, session, node } : { refusal: 'disabled_node' };
}

/** The number of the call is taken last, so that only a rightful signature uses one up. */
function checkSessionSignature(
  decrypt: (appSecret: string) => string,
  { sessionClaim: { session: id, count, signature }, session, node }: SessionSigner,
  request: SignedRequest,
): SignatureVerdict {
  const expected = sessionSignatureOf(decrypt(node.app_secret), { ...request, session: id, count });
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return { refusal: 'signature' };
  if (!session.seen.take(count)) return { refusal: 'replay' };
  return { node: { id: node.id, name: node.name, generation: node.generation } };
}

/** Opens a session for a node whose call was signed outside of one; undefined for one that was signed within. */
export function openSession(sessions: NodeSessions, { signer }: FastifyRequest): NodeSession | undefined {
  if (!signer || 'session' in signer) return undefined;
  return sessions.open(signer.node.id, signer.node.app_secret);
}

/**
 * The nonce is stored last, so that only a rightful signature costs a row; it is kept for twice the window, since a time
 * may lie ahead of ours.
 */
export async function checkSignature(
  database: Queryable,
  decrypt: (appSecret: string) => string,
  { claim, node }: Signer,
  request: SignedRequest,
): Promise<SignatureVerdict> {
  const { appId, time, nonce } = claim;
  const expected = Buffer.from(signatureOf(decrypt(node.app_secret), { ...request, time, nonce }));
  if (!timingSafeEqual(expected, Buffer.from(claim.signature))) return { refusal: 'signature', appId };
  const stored = await database.execute(
    sql`INSERT INTO node_nonce (node_id, nonce, expires_at)
        VALUES (${node.id}, ${nonce}, now() + make_interval(secs => ${2 * signatureWindowSeconds}))
        ON CONFLICT DO NOTHING`,
  );
  if (stored.rowCount !== 1) return { refusal: 'replay', appId };
  return { node: { id: node.id, name: node.name, generation: node.generation } };
}

/** Drops the nonces whose time window has passed; returns how many. */
export async function pruneNonces(database: Queryable): Promise<number> {
  const pruned = await database.execute(sql`DELETE FROM node_nonce WHERE expires_at < now()`);
  return pruned.rowCount ?? 0;
}
