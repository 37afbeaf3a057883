import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lt } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { usedChallenge } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import type { Account } from './session.store.ts';

/** What a challenge is for: an answer to one for something else is worth nothing. */
export type Purpose = 'sign-in' | `register ${Account['kind']} ${number}`;

const goodForMs = 5 * 60_000;
const nonceBytes = 16;
const bodyBytes = nonceBytes + 8;

/** It proves itself, so that nothing is stored for whoever only asks for one: nonce, end, HMAC over both and the purpose. */
export function makeChallenge(secrets: Secrets, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const end = Buffer.alloc(8);
  end.writeBigUInt64BE(BigInt(Date.now() + goodForMs));
  const body = Buffer.concat([randomBytes(nonceBytes), end]);
  return new Uint8Array(Buffer.concat([body, seal(secrets, purpose, body)]));
}

export function isGoodChallenge(secrets: Secrets, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, bodyBytes);
  const sealed = bytes.subarray(bodyBytes);
  const right = seal(secrets, purpose, body);
  return (
    sealed.length === right.length &&
    timingSafeEqual(sealed, right) &&
    Number(body.readBigUInt64BE(nonceBytes)) > Date.now()
  );
}

/** No token of a session begins like this. */
const seal = ({ sessionKey }: Secrets, purpose: Purpose, body: Buffer): Buffer =>
  createHmac('sha256', sessionKey).update(`challenge for ${purpose}: `).update(body).digest();

/** Whether it is answered for the first time. */
export async function spendChallenge(db: Db, challenge: string): Promise<boolean> {
  const rows = await db
    .insert(usedChallenge)
    .values({ challenge, expiresAt: new Date(Date.now() + goodForMs) })
    .onConflictDoNothing()
    .returning({ challenge: usedChallenge.challenge });
  return rows.length > 0;
}

export async function pruneChallenges(db: Db): Promise<void> {
  await db.delete(usedChallenge).where(lt(usedChallenge.expiresAt, new Date()));
}
