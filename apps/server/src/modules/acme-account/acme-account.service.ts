import { acmeDirectories, issueText, type Language } from '@breakwater/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Change } from '../../crud.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { acmeAccount } from '../../db/schema.ts';
import { newAccountKey, registerAccount, signerOf } from '../../providers/acme/acme-account.ts';
import { AcmeSession, type AcmeSigner } from '../../providers/acme/acme-session.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import { reachOf } from '../../providers/reach.ts';
import type { Secrets } from '../../secrets.ts';
import type { Services } from '../../services.ts';

/** Accounts at certificate authorities, for whoever obtains certificates by them. */

type Row = typeof acmeAccount.$inferSelect;
type AcmeServices = Pick<Services, 'db' | 'secrets' | 'config'>;

export interface AcmeAccess {
  account: Row;
  session: AcmeSession;
  signer: AcmeSigner;
}

/** The address of an account's authority. */
export const directoryOf = ({ directory, directoryUrl }: Row): string =>
  directory === 'other' ? directoryUrl : acmeDirectories[directory].url;

/** Nonces and directories are worth keeping from one step of an order to the next. */
const sessions = new WeakMap<Db, Map<string, AcmeSession>>();
const sessionsMax = 100;

function sessionOf({ db, config }: AcmeServices, account: Row): AcmeSession {
  const held = sessions.get(db) ?? new Map<string, AcmeSession>();
  sessions.set(db, held);
  const key = `${account.id} ${account.version}`;
  const known = held.get(key);
  if (known) return known;
  if (held.size >= sessionsMax) held.clear();
  const server = { directoryUrl: directoryOf(account), directoryCa: account.directoryCa };
  const session = new AcmeSession(server, reachOf(config, null));
  held.set(key, session);
  return session;
}

/** With its key made and registered where it was not. Fails with a `ProviderProblem`, `not_found` for one that is gone. */
export async function acmeAccess(services: AcmeServices, id: number): Promise<AcmeAccess> {
  const { db, secrets } = services;
  const found = await readAccount(db, id);
  const account = found.accountKey === null ? await withKey(db, secrets, found) : found;
  const session = sessionOf(services, account);
  const signer = await signerOf(secrets.decrypt(account.accountKey!), account.accountUrl);
  if (account.accountUrl !== '') return { account, session, signer };
  const { eabKeyId: keyId, eabHmacKey, email, termsAgreed } = account;
  const external =
    keyId === '' || eabHmacKey === null ? undefined : { keyId, hmacKey: secrets.decrypt(eabHmacKey) };
  const accountUrl = await registerAccount(session, signer, { email, termsAgreed, external });
  await db
    .update(acmeAccount)
    .set({ accountUrl, updatedAt: sql`${acmeAccount.updatedAt}` })
    .where(and(eq(acmeAccount.id, id), eq(acmeAccount.accountKey, account.accountKey!)));
  return { account: { ...account, accountUrl }, session, signer: { ...signer, accountUrl } };
}

async function readAccount(db: Db, id: number): Promise<Row> {
  const [row] = await db.select().from(acmeAccount).where(eq(acmeAccount.id, id));
  if (!row) throw notFound();
  return row;
}

/** Kept before it is registered: whatever ends the server in between, the same key is registered the next time. */
async function withKey(db: Db, secrets: Secrets, { id }: Row): Promise<Row> {
  await db
    .update(acmeAccount)
    .set({ accountKey: secrets.encrypt(await newAccountKey()), updatedAt: sql`${acmeAccount.updatedAt}` })
    .where(and(eq(acmeAccount.id, id), isNull(acmeAccount.accountKey)));
  return readAccount(db, id);
}

/** The authority does not know it any more, as a test authority after a restart: the key is registered again. */
export async function forgetAccountUrl(db: Db, { id, accountUrl }: Row): Promise<void> {
  await db
    .update(acmeAccount)
    .set({ accountUrl: '', updatedAt: sql`${acmeAccount.updatedAt}` })
    .where(and(eq(acmeAccount.id, id), eq(acmeAccount.accountUrl, accountUrl)));
}

/** Another directory knows nothing of the key; with other words for the authority the account is registered with them. */
export async function forgetRegistration(tx: Transaction, { before, after }: Change<Row>): Promise<void> {
  if (before === undefined || after === undefined) return;
  const isMoved = before.directory !== after.directory || before.directoryUrl !== after.directoryUrl;
  const isOther = isMoved || before.eabKeyId !== after.eabKeyId || before.eabHmacKey !== after.eabHmacKey;
  if (!isOther) return;
  await tx.update(acmeAccount).set({ accountKey: null, accountUrl: '' }).where(eq(acmeAccount.id, after.id));
}

/** In the reader's language, with what the authority said itself. */
const said = ({ issue, detail }: ProviderProblem, language: Language): string =>
  (issueText(issue, language) ?? issue) + (detail === '' ? '' : ` (${detail})`);

export async function testAcmeAccount(services: AcmeServices, id: number, language: Language) {
  const started = performance.now();
  let message = '';
  try {
    const { account, session, signer } = await acmeAccess(services, id);
    // Proves that the authority still knows it.
    await session.post(signer, account.accountUrl, undefined);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    message = said(error, language);
  }
  return { ok: message === '', message, milliseconds: Math.round(performance.now() - started) };
}
