import { secretPlaces, type Language, type LevelRef } from '@breakwater/contract';
import { and, eq, isNull, or, type SQL } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { captchaAccount } from '../../db/schema.ts';
import { publishToUsers } from '../../delivery/edge-use.ts';
import type { CaptchaClient } from '../../providers/captcha/captcha-providers.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import { reachOf, type Reach } from '../../providers/reach.ts';
import { providers } from '../../providers/registry.ts';
import { everything, type Scope } from '../../scope.ts';
import { openValue } from '../../secret-values.ts';
import type { Secrets } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { captchaAccounts } from './captcha-account.store.ts';

/** Accounts at vendors of challenges: which ones a site may name, what nodes are told of them, and their test. */

type Row = typeof captchaAccount.$inferSelect;

function clientOf({ provider, params }: Row, secrets: Secrets, reach: Reach): CaptchaClient {
  const { description, make } = providers.captcha[provider];
  return make(openValue(params, secretPlaces(description.params), secrets), { reach });
}

/** Making the document of one asks nobody. */
const noReach: Reach = () => Promise.reject(new ProviderProblem('provider_private'));

function documentOf(row: Row, secrets: Secrets) {
  const body = { account_id: row.id, ...clientOf(row, secrets, noReach).part };
  return { body, encrypt: secrets.encrypt };
}

/** The document of an account. */
export async function captchaAccountBody(tx: Transaction, secrets: Secrets, key: string) {
  return documentOf(await captchaAccounts.read(tx, everything, Number(key)), secrets);
}

/** One that was changed goes to whoever uses it. */
export const publishCaptchaAccount = (
  tx: Transaction,
  secrets: Secrets,
  row: Row,
  createdBy: string,
): Promise<number | null> =>
  publishToUsers(tx, {
    kind: 'captcha_account',
    key: String(row.id),
    ...documentOf(row, secrets),
    task: {
      type: 'captcha_account_update',
      title: row.name,
      objectKind: 'captcha_account',
      objectId: row.id,
      clientId: row.clientId ?? undefined,
      createdBy,
    },
  });

interface Naming {
  former: readonly number[];
  now: readonly number[];
  path: string;
}

/**
 * Refuses accounts that a site may not name. It may those of its customer, for an administrator also the platform's, and the one
 * that it named before.
 */
export function checkCaptchaOfSite(
  tx: Transaction,
  { clientId }: { clientId: number },
  isAdmin: boolean,
  naming: Naming,
): Promise<void> {
  const theirs = eq(captchaAccount.clientId, clientId);
  return checkAccounts(tx, isAdmin ? or(theirs, isNull(captchaAccount.clientId)) : theirs, naming);
}

/** The same for a level: a customer's names the customer's and the platform's, the others the platform's. */
export function checkCaptchaOfLevel(
  tx: Transaction,
  { level, target_id: target }: LevelRef,
  naming: Naming,
): Promise<void> {
  const ofPlatform = isNull(captchaAccount.clientId);
  return checkAccounts(
    tx,
    level === 'client' ? or(eq(captchaAccount.clientId, target), ofPlatform) : ofPlatform,
    naming,
  );
}

/** Those that are named are there, and stay until the transaction ends. */
async function checkAccounts(
  tx: Transaction,
  owner: SQL | undefined,
  { former, now, path }: Naming,
): Promise<void> {
  for (const id of now) {
    const where = and(eq(captchaAccount.id, id), former.includes(id) ? undefined : owner);
    const rows = await tx.select({ id: captchaAccount.id }).from(captchaAccount).where(where).for('share');
    if (rows.length === 0) throw invalid(path, 'does_not_exist');
  }
}

export const testCaptchaAccount = (
  { db, config, secrets }: Services,
  scope: Scope,
  id: number,
  language: Language,
) =>
  captchaAccounts.test(db, scope, { id, language, nothing: {} }, async (row) => {
    await providers.captcha[row.provider].test(clientOf(row, secrets, reachOf(config, row.clientId)));
    return {};
  });
