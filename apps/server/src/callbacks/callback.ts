import { and, eq, lt, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Db, Transaction } from '../db/database.ts';
import { callbackSeen } from '../db/schema.ts';
import { isNestedTooDeeply } from '../json-depth.ts';

/**
 * Callbacks: requests of other people's servers, such as a payment that went through. Nobody is signed in; the handler proves
 * the sender by what is in the request, and says by which key it knows the event.
 */

/** What arrived, beside `request` with its header fields. */
export interface CallbackBody {
  /** As it was sent: signatures are over the bytes. Empty for a GET. */
  raw: Buffer;
  /** What it is by its Content-Type; `none` without one. XML is for the handler to read, from `raw`. */
  type: 'form' | 'json' | 'xml' | 'none';
  /** The fields of a form, the members of a JSON object; else none. Throws `malformed_body`. */
  fields(): Record<string, unknown>;
}

/** What a handler returns once it has proven the sender; until then it changes nothing. */
export interface ProvenCallback {
  /** The same for each sending of one event, and for no other of the route. At most 200 characters. */
  key: string;
  /** Does what follows, once, and says what is answered, now and each time it is sent again. */
  effect(tx: Transaction): Promise<string>;
}

/** After so long a key is forgotten. What must not happen twice even then is held by a row of its own as well. */
const daysKept = 400;
const keyLengthMax = 200;

const types = {
  'application/x-www-form-urlencoded': 'form',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
} as const;

/** Within a context of their own: bodies stay bytes. */
export function acceptCallbacks(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(Object.keys(types), { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

export function callbackBodyOf({ body, headers }: FastifyRequest): CallbackBody {
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(/\s*;/, 1);
  const type = raw.length > 0 && mediaType in types ? types[mediaType as keyof typeof types] : 'none';
  return { raw, type, fields: () => fieldsOf(type, raw.toString('utf8')) };
}

function fieldsOf(type: CallbackBody['type'], text: string): Record<string, unknown> {
  if (type === 'form') return Object.fromEntries(new URLSearchParams(text));
  if (type !== 'json') return {};
  try {
    const value = isNestedTooDeeply(text) ? null : (JSON.parse(text) as unknown);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw new ApiError('malformed_body');
}

/**
 * Takes effect once: the key and the effect are written in one transaction. One that is sent again, at the same moment too, is
 * given the first answer; where the effect failed nothing is remembered, and the sender may come again.
 */
export async function answerCallback(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, effect }: ProvenCallback,
): Promise<FastifyReply> {
  if (key === '' || key.length > keyLengthMax) throw new ApiError('malformed_body');
  const route = `${request.method} ${request.routeOptions.url}`;
  const mine = and(eq(callbackSeen.route, route), eq(callbackSeen.key, key));
  const answer = await db.transaction(async (tx) => {
    // Waits for another that is under way with the same key.
    const taken = await tx
      .insert(callbackSeen)
      .values({ route, key, answer: '' })
      .onConflictDoNothing()
      .returning({ key: callbackSeen.key });
    if (taken.length === 0) {
      const [first] = await tx.select().from(callbackSeen).where(mine);
      return first?.answer ?? '';
    }
    const text = await effect(tx);
    await tx.update(callbackSeen).set({ answer: text }).where(mine);
    return text;
  });
  return reply.type('text/plain; charset=utf-8').send(answer);
}

/** Forgets what is too old to be sent again. */
export async function pruneCallbacks(db: Db): Promise<void> {
  await db
    .delete(callbackSeen)
    .where(lt(callbackSeen.createdAt, sql`now() - make_interval(days => ${sql.raw(String(daysKept))})`));
}
