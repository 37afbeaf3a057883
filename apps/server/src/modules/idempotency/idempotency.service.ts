import { createHmac } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { idempotencyKey } from '../../db/schema.ts';
import type { Services } from '../../services.ts';

/** For so long an answer is given again. */
const hoursKept = 24;
/** As in an HTTP structured string without its quotes; draft-ietf-httpapi-idempotency-key-header. */
const shape = /^"?([\x21\x23-\x5b\x5d-\x7e]{1,200})"?$/;

/**
 * Does the work of a call once, however often it is sent under one key: who sends it again is given the first answer. The same
 * key with another call is refused (`idempotency_key_reused`). While the first one runs, and when its server was stopped
 * in the middle, nobody knows how it ends (`idempotency_key_in_use`). What failed may be tried again.
 */
export async function onceByKey<Answer>(
  { db, secrets }: Services,
  account: string,
  request: FastifyRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work();
  const key = typeof header === 'string' ? shape.exec(header)?.[1] : undefined;
  if (key === undefined) throw invalid('Idempotency-Key', 'invalid');
  const call = JSON.stringify([request.method, request.url, request.body ?? null]);
  // With a key: a body may hold a password, which could be guessed from a plain hash of it.
  const callHash = createHmac('sha256', secrets.sessionKey).update('call: ').update(call).digest('hex');
  const mine = and(eq(idempotencyKey.account, account), eq(idempotencyKey.key, key));
  const taken = await db
    .insert(idempotencyKey)
    .values({ account, key, callHash })
    .onConflictDoUpdate({
      target: [idempotencyKey.account, idempotencyKey.key],
      set: { callHash, answer: null, createdAt: sql`now()` },
      setWhere: isOld,
    })
    .returning({ key: idempotencyKey.key });
  if (taken.length === 0) {
    const [first] = await db.select().from(idempotencyKey).where(mine);
    if (first && first.callHash !== callHash) throw new ApiError('idempotency_key_reused');
    if (!first?.answer) throw new ApiError('idempotency_key_in_use');
    return JSON.parse(secrets.decrypt(first.answer)) as Answer;
  }
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    await db.delete(idempotencyKey).where(mine);
    throw error;
  }
  await db
    .update(idempotencyKey)
    .set({ answer: secrets.encrypt(JSON.stringify(answer)) })
    .where(mine);
  return answer;
}

const isOld = lt(
  idempotencyKey.createdAt,
  sql`now() - make_interval(hours => ${sql.raw(String(hoursKept))})`,
);

/** Forgets what is not given again. */
export async function pruneIdempotencyKeys(db: Db): Promise<void> {
  await db.delete(idempotencyKey).where(isOld);
}
