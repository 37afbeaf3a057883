import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { ApiError, invalid } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { isoOrNull } from '../../db/page.ts';
import { passkey, recoveryCode, twoFactor } from '../../db/schema.ts';
import { hashToken, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { recordOwn } from './account-event.ts';
import { clearCodes, countCode } from './attempt.store.ts';
import { endSessions, ownedBy, ownerColumns, type Account } from './session.store.ts';

/** What every authenticator app knows (RFC 6238 with the values of its reference): SHA-1, six digits, 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Clocks may be apart by one step. */
const stepsApart = 1;
/** 160 bits, as long as the hash (RFC 4226 §4). */
const secretBytes = 20;
const recoveryCodeCount = 10;

export async function isTwoFactorOn(db: Db, account: Account): Promise<boolean> {
  return (await db.$count(twoFactor, enabledOf(account))) > 0;
}

const enabledOf = (account: Account) => and(ownedBy(twoFactor, account), isNotNull(twoFactor.enabledAt));

export async function readTwoFactor(db: Db, account: Account) {
  const [[row], left] = await Promise.all([
    db.select().from(twoFactor).where(enabledOf(account)),
    db.$count(recoveryCode, ownedBy(recoveryCode, account)),
  ]);
  return { enabled_at: isoOrNull(row?.enabledAt ?? null), recovery_codes_left: left };
}

/** Makes a key in place of one that was never confirmed. Throws `conflict` where one is in use. */
export async function startTwoFactor(
  { db, secrets, config }: Services,
  account: Account,
  label: string,
): Promise<{ secret: string; otpauth_uri: string }> {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ ...parameters, issuer: config.appName, label, secret }).toString();
  await db.transaction(async (tx) => {
    await tx.delete(twoFactor).where(and(ownedBy(twoFactor, account), isNull(twoFactor.enabledAt)));
    const rows = await tx
      .insert(twoFactor)
      .values({ ...ownerColumns(account), secret: secrets.encrypt(secret.base32) })
      .onConflictDoNothing()
      .returning({ id: twoFactor.id });
    if (rows.length === 0) throw new ApiError('conflict');
  });
  return { secret: secret.base32, otpauth_uri: uri };
}

/** Switches it on with a code of the key that was made last, and answers recovery codes. */
export async function confirmTwoFactor(
  { db, secrets }: Services,
  account: Session,
  code: string,
): Promise<string[]> {
  await countCode(db, account);
  const codes = await db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(twoFactor)
      .where(and(ownedBy(twoFactor, account), isNull(twoFactor.enabledAt)))
      .for('update');
    if (!row) throw new ApiError('conflict');
    const step = stepOf(secrets.decrypt(row.secret), normalised(code));
    if (step === undefined) throw invalid('one_time_code', 'one_time_code_wrong');
    await tx.update(twoFactor).set({ enabledAt: new Date(), lastStep: step }).where(eq(twoFactor.id, row.id));
    await recordOwn(tx, account, 'two_factor_enabled');
    return replaceRecoveryCodes(tx, account);
  });
  await clearCodes(db, account);
  return codes;
}

/** The old ones are gone. Answers the new ones, which only their hashes are kept of. */
export async function replaceRecoveryCodes(db: Db, account: Account): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode);
  await db.delete(recoveryCode).where(ownedBy(recoveryCode, account));
  await db
    .insert(recoveryCode)
    .values(codes.map((code) => ({ ...ownerColumns(account), hash: hashToken(normalised(code)) })));
  return codes;
}

/**
 * Takes a code of the app, or a recovery code, as used: whoever comes with it again, also at the same moment, is refused.
 * Throws `too_many_attempts`.
 */
export async function spendCode({ db, secrets }: Services, account: Account, text: string): Promise<boolean> {
  const code = normalised(text);
  if (!/^\d{6}$/.test(code)) {
    const spent = await db
      .delete(recoveryCode)
      .where(and(ownedBy(recoveryCode, account), eq(recoveryCode.hash, hashToken(code))))
      .returning({ id: recoveryCode.id });
    return spent.length > 0;
  }
  await countCode(db, account);
  const [row] = await db.select().from(twoFactor).where(enabledOf(account));
  const step = row && stepOf(secrets.decrypt(row.secret), code);
  if (!row || step === undefined) return false;
  const taken = await db
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.id, row.id), lt(twoFactor.lastStep, step)))
    .returning({ id: twoFactor.id });
  if (taken.length === 0) return false;
  await clearCodes(db, account);
  return true;
}

export async function disableTwoFactor(db: Db, account: Account): Promise<void> {
  await db.delete(twoFactor).where(ownedBy(twoFactor, account));
  await db.delete(recoveryCode).where(ownedBy(recoveryCode, account));
}

/** For an account whose owner lost what they sign in with, or had it stolen: nothing but the password is left. */
export async function resetSignIn(tx: Db, account: Account): Promise<void> {
  await disableTwoFactor(tx, account);
  await tx.delete(passkey).where(ownedBy(passkey, account));
  await endSessions(tx, account);
}

/** The time step that a code is of, if it is of one that counts by now. */
function stepOf(secret: string, code: string): number | undefined {
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) });
  const timestamp = Date.now();
  const apart = totp.validate({ token: code, timestamp, window: stepsApart });
  return apart === null ? undefined : totp.counter({ timestamp }) + apart;
}

/** Crockford's base32: no letter looks like a digit. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits: `k3v9-x0qt-7m2c-h5aw`. */
function makeRecoveryCode(): string {
  const text = Array.from(randomBytes(16), (byte) => letters[byte & 31]).join('');
  return text.replace(/.{4}(?!$)/g, '$&-');
}

const normalised = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();
