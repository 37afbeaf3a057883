import { timingSafeEqual } from 'node:crypto';
import { parseAuthorization, signatureOf } from '@breakwater/agent/signature';
import { signatureWindowSeconds } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { NodeIdentity } from '../plugins/implement.ts';
import type { Services } from '../services.ts';
import { rowsOf, type Queryable } from './queryable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived, kept for calls of nodes: their signature is over its bytes. */
    rawBody: Buffer | undefined;
  }
}

export interface SignedRequest {
  authorization: string | undefined;
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
  | 'replay';
export type SignatureVerdict = { node: NodeIdentity } | { refusal: SignatureRefusal; appId?: string };

interface NodeRow {
  id: number;
  name: string;
  generation: number;
  app_secret: string;
  enabled: boolean;
}

/** The node that signed a request. Throws `node_signature`; the log says what was wrong, the caller is not told. */
export async function verifyNode(
  { db, secrets, log }: Services,
  request: FastifyRequest,
): Promise<NodeIdentity> {
  const verdict = await verifyNodeSignature(db, (text) => secrets.decrypt(text), {
    authorization: request.headers.authorization,
    method: request.method,
    target: request.raw.url ?? request.url,
    body: request.rawBody ?? '',
  });
  if ('node' in verdict) return verdict.node;
  log.warn({ ...verdict, ip: request.ip, method: request.method, path: request.url }, 'node request refused');
  throw new ApiError('node_signature');
}

/**
 * Who signed a request. The nonce is stored last, so that only a rightful signature costs a row; it is kept for twice
 * the window, since a time may lie ahead of ours.
 */
export async function verifyNodeSignature(
  database: Queryable,
  decrypt: (appSecret: string) => string,
  request: SignedRequest,
  now: Date = new Date(),
): Promise<SignatureVerdict> {
  const claim = parseAuthorization(request.authorization);
  if (!claim) return { refusal: 'malformed' };
  const { appId, time, nonce } = claim;
  if (Math.abs(now.getTime() / 1000 - time) > signatureWindowSeconds) return { refusal: 'clock', appId };
  const [row] = await rowsOf<NodeRow>(
    database,
    sql`SELECT id, name, generation, app_secret, enabled FROM node WHERE app_id = ${appId}`,
  );
  if (!row) return { refusal: 'unknown_node', appId };
  const expected = Buffer.from(signatureOf(decrypt(row.app_secret), { ...request, time, nonce }));
  if (!timingSafeEqual(expected, Buffer.from(claim.signature))) return { refusal: 'signature', appId };
  if (!row.enabled) return { refusal: 'disabled_node', appId };
  const stored = await database.execute(
    sql`INSERT INTO node_nonce (node_id, nonce, expires_at)
        VALUES (${row.id}, ${nonce}, now() + make_interval(secs => ${2 * signatureWindowSeconds}))
        ON CONFLICT DO NOTHING`,
  );
  if (stored.rowCount !== 1) return { refusal: 'replay', appId };
  return { node: { id: row.id, name: row.name, generation: row.generation } };
}

/** Drops the nonces whose time window has passed; returns how many. */
export async function pruneNonces(database: Queryable): Promise<number> {
  const pruned = await database.execute(sql`DELETE FROM node_nonce WHERE expires_at < now()`);
  return pruned.rowCount ?? 0;
}
