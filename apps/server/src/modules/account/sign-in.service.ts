import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { adminUser, client, member } from '../../db/schema.ts';
import { passwordMatches } from '../../password.ts';
import { issueToken, type Audience } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { clearAttempts, countAttempt, returnAttempt, triedName, type Attempt } from './attempt.store.ts';
import { openSession, type Account } from './session.store.ts';
import { isTwoFactorOn, spendCode } from './two-factor.store.ts';

interface Credentials {
  account: Account;
  /** A user name, or an e-mail. */
  signInName: string;
  /** What the console calls it. */
  name: string;
  email: string;
  passwordHash: string;
  enabled: boolean;
}

async function findAdmin(db: Db, by: { username: string } | { id: number }) {
  const [row] = await db
    .select()
    .from(adminUser)
    .where('id' in by ? eq(adminUser.id, by.id) : eq(adminUser.username, by.username));
  return (
    row && {
      account: { kind: 'admin' as const, id: row.id },
      signInName: row.username,
      name: row.username,
      email: row.email,
      passwordHash: row.passwordHash,
      enabled: row.enabled,
    }
  );
}

async function findClient(db: Db, by: { email: string } | { id: number }) {
  const [row] = await db
    .select()
    .from(client)
    .where('id' in by ? eq(client.id, by.id) : eq(client.email, by.email));
  return (
    row && {
      account: { kind: 'client' as const, id: row.id },
      signInName: row.email,
      name: row.name,
      email: row.email,
      passwordHash: row.passwordHash,
      enabled: row.status === 'active',
    }
  );
}

/** Nobody signs in to the account of a customer who is disabled. */
async function findMember(db: Db, by: { email: string } | { id: number }) {
  const [row] = await db
    .select({ member, status: client.status })
    .from(member)
    .innerJoin(client, eq(client.id, member.clientId))
    .where('id' in by ? eq(member.id, by.id) : eq(member.email, by.email));
  return (
    row && {
      account: { kind: 'member' as const, id: row.member.id },
      signInName: row.member.email,
      name: row.member.name,
      email: row.member.email,
      passwordHash: row.member.passwordHash,
      enabled: row.member.enabled && row.status === 'active',
    }
  );
}

const finders = { admin: findAdmin, client: findClient, member: findMember };

export const findAccount = async (db: Db, { kind, id }: Account): Promise<Credentials> => {
  const found = await finders[kind](db, { id });
  if (!found) throw notFound();
  return found;
};

const attemptOf = (kind: Account['kind'], name: string, { ip }: FastifyRequest): Attempt => ({
  account: triedName(kind, name),
  address: ip,
});

interface Entered {
  audience: Audience;
  signInName: string;
  password: string;
  one_time_code?: string | undefined;
}

/**
 * Signs in by password, and by a one-time code where the account wants one. Throws `wrong_credentials`,
 * `one_time_code_needed`, `one_time_code_wrong` and `too_many_attempts`.
 */
export async function signInByPassword(services: Services, request: FastifyRequest, entered: Entered) {
  const { db } = services;
  const { audience, signInName, password, one_time_code: code } = entered;
  const attempt = attemptOf(audience === 'admin' ? 'admin' : 'client', signInName, request);
  await countAttempt(db, attempt);
  const found: Credentials | undefined =
    audience === 'admin'
      ? await findAdmin(db, { username: signInName })
      : ((await findClient(db, { email: signInName })) ?? (await findMember(db, { email: signInName })));
  const matches = await passwordMatches(found?.passwordHash, password);
  if (!found?.enabled || !matches) throw new ApiError('wrong_credentials');
  if (await isTwoFactorOn(db, found.account)) {
    if (code === undefined) {
      await returnAttempt(db, attempt);
      throw new ApiError('one_time_code_needed');
    }
    if (!(await spendCode(services, found.account, code)))
      throw new ApiError('one_time_code_wrong', [{ path: 'one_time_code', issue: 'one_time_code_wrong' }]);
  }
  await clearAttempts(db, attempt);
  return enter(services, request, found);
}

/**
 * Opens a session. The account's row is locked as what was proven is still true: a new password, or disabling, either comes
 * before, and this is refused, or after, and ends the session. Throws `wrong_credentials`.
 */
export async function enter(services: Services, request: FastifyRequest, found: Credentials) {
  const { db, config } = services;
  const { account, name, passwordHash } = found;
  const audience = account.kind === 'admin' ? 'admin' : 'user';
  const sessionId = await db.transaction(async (tx) => {
    if (!(await noteSignIn(tx, account, passwordHash, request.ip))) throw new ApiError('wrong_credentials');
    const userAgent = request.headers['user-agent'] ?? '';
    return openSession(tx, account, { ip: request.ip, userAgent, seconds: config.sessionSeconds });
  });
  const token = await issueToken(services, audience, account.id, sessionId);
  return { token, jwt_buffer_time: config.sessionSeconds, user_id: account.id, username: name };
}

/** Whether the account still is as it was read. */
async function noteSignIn(tx: Db, { kind, id }: Account, passwordHash: string, ip: string): Promise<boolean> {
  const noted = { lastLoginIp: ip, lastLoginAt: new Date() };
  const table = { admin: adminUser, client, member }[kind];
  const isEnabled =
    kind === 'client' ? eq(client.status, 'active') : eq((table as typeof member).enabled, true);
  const rows = await tx
    .update(table)
    .set(noted)
    .where(and(eq(table.id, id), eq(table.passwordHash, passwordHash), isEnabled))
    .returning({ id: table.id });
  if (rows.length === 0 || kind !== 'member') return rows.length > 0;
  // Locked too: disabling the customer ends this session, or comes before and refuses it.
  const customer = await tx
    .select({ id: client.id })
    .from(client)
    .innerJoin(member, eq(member.clientId, client.id))
    .where(and(eq(member.id, id), eq(client.status, 'active')))
    .for('share', { of: client });
  return customer.length > 0;
}

/**
 * Asks whoever is signed in for their password once more, as often as a sign-in may be tried. Throws an issue at `path`, and
 * `too_many_attempts`.
 */
export async function confirmPassword(
  { db }: Services,
  request: FastifyRequest,
  account: Account,
  { password, path = 'password' }: { password: string; path?: string },
): Promise<Credentials> {
  const found = await findAccount(db, account);
  const attempt = attemptOf(account.kind, found.signInName, request);
  await countAttempt(db, attempt);
  if (!(await passwordMatches(found.passwordHash, password))) throw invalid(path, 'password_wrong');
  await clearAttempts(db, attempt);
  return found;
}
