import {
  captchaProviders,
  hideSecrets,
  isGiven,
  secretPlaces,
  type CaptchaAccount,
  type CaptchaAccountInput,
  type CaptchaProviderCode,
} from '@breakwater/contract';
import { and, asc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound, type FieldIssue } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { among, contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { captchaAccount, client } from '../../db/schema.ts';
import { assertUnused, countUsers } from '../../delivery/edge-use.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import { assertSealed, keepSecrets, sealValue } from '../../secret-values.ts';
import type { Secrets } from '../../secrets.ts';

type Row = typeof captchaAccount.$inferSelect;

const constraintsAt = (path: string): Record<string, [path: string, issue: 'name_taken']> => ({
  captcha_account_client_name_unique: [path, 'name_taken'],
});
/** One owner has so many. */
const accountsMax = 100;

const one = (scope: Scope, id: number) => and(eq(captchaAccount.id, id), owned(captchaAccount, scope));

interface Filter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  provider?: CaptchaProviderCode | undefined;
  client_id?: number | undefined;
  usable_by?: number | 'platform' | undefined;
}

function usableBy(owner: Filter['usable_by']): SQL | undefined {
  if (owner === undefined) return undefined;
  const platforms = isNull(captchaAccount.clientId);
  return owner === 'platform' ? platforms : or(eq(captchaAccount.clientId, owner), platforms);
}

export async function listCaptchaAccounts(db: Db, scope: Scope, query: Filter) {
  const where = and(
    owned(captchaAccount, scope),
    among(captchaAccount.id, query.ids),
    contains(captchaAccount.name, query.name),
    query.provider && eq(captchaAccount.provider, query.provider),
    query.client_id ? eq(captchaAccount.clientId, query.client_id) : undefined,
    usableBy(query.usable_by),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectAccounts(db)
      .where(where)
      .orderBy(sql`${captchaAccount.clientId} NULLS FIRST`, asc(captchaAccount.name))
      .limit(limit)
      .offset(offset),
    db.$count(captchaAccount, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getCaptchaAccount(db: Db, scope: Scope, id: number): Promise<CaptchaAccount> {
  const [row] = await selectAccounts(db).where(one(scope, id));
  if (!row) throw notFound();
  return present(row);
}

/** With its secret, sealed. */
export async function readCaptchaAccount(db: Pick<Db, 'select'>, scope: Scope, id: number): Promise<Row> {
  const [row] = await db.select().from(captchaAccount).where(one(scope, id));
  if (!row) throw notFound();
  return row;
}

export async function createCaptchaAccount(
  tx: Transaction,
  scope: Scope,
  secrets: Secrets,
  input: CaptchaAccountInput,
): Promise<number> {
  const clientId = ownerOfNew(scope);
  const owner = clientId === null ? isNull(captchaAccount.clientId) : eq(captchaAccount.clientId, clientId);
  if ((await tx.$count(captchaAccount, owner)) >= accountsMax) throw new ApiError('too_many');
  const { name, provider } = input;
  const params = sealedParams(input, secrets, undefined, '');
  const [row] = await mapConstraints(constraintsAt('name'), () =>
    tx
      .insert(captchaAccount)
      .values({ clientId, name, provider, params })
      .returning({ id: captchaAccount.id }),
  );
  return row!.id;
}

/** Answers the row as it is now. What was found out about the account before is forgotten. */
export async function updateCaptchaAccount(
  tx: Transaction,
  scope: Scope,
  secrets: Secrets,
  change: { id: number; version: number; value: CaptchaAccountInput },
): Promise<Row> {
  const { id, version, value } = change;
  const before = await lockAccount(tx, scope, id);
  if (before.version !== version) throw new ApiError('stale_version');
  const params = sealedParams(value, secrets, before, 'value.');
  const { name, provider } = value;
  const next = { name, provider, params, version: version + 1, checkedAt: null, lastError: '' };
  const [after] = await mapConstraints(constraintsAt('value.name'), () =>
    tx.update(captchaAccount).set(next).where(one(scope, id)).returning(),
  );
  return after!;
}

async function lockAccount(tx: Transaction, scope: Scope, id: number): Promise<Row> {
  const [row] = await tx.select().from(captchaAccount).where(one(scope, id)).for('update');
  if (!row) throw notFound();
  return row;
}

/** With the secret of what stood there where none is sent, but not for another server, which it was not entered for. */
function sealedParams(
  { provider, params }: CaptchaAccountInput,
  secrets: Secrets,
  before: { provider: string; params: Record<string, unknown> } | undefined,
  path: string,
): Record<string, unknown> {
  const { params: schema, target } = captchaProviders[provider];
  const places = secretPlaces(schema);
  const sent: Record<string, unknown> = params;
  const isSame = before?.provider === provider && target.every((name) => before.params[name] === sent[name]);
  const sealed = keepSecrets(sealValue(sent, places, secrets), isSame ? before.params : undefined, places);
  const issue = before?.provider === provider && !isSame ? 'secret_again' : 'required';
  const lacking = Object.keys(places).flatMap((name): FieldIssue[] =>
    isGiven(sealed[name]) ? [] : [{ path: `${path}params.${name}`, issue }],
  );
  if (lacking.length > 0) throw new ApiError('invalid_input', lacking);
  assertSealed(sealed, places);
  return sealed;
}

/** What a test found; of an account that was changed meanwhile it says nothing. */
export async function noteCaptchaTest(
  db: Db,
  scope: Scope,
  { id, version, lastError }: { id: number; version: number; lastError: string },
): Promise<void> {
  await db
    .update(captchaAccount)
    .set({ checkedAt: new Date(), lastError, updatedAt: sql`${captchaAccount.updatedAt}` })
    .where(and(one(scope, id), eq(captchaAccount.version, version)));
}

/** Refused while a site or a level names it: with its row locked, which they lock before they do. */
export async function removeCaptchaAccount(tx: Transaction, scope: Scope, id: number): Promise<void> {
  await lockAccount(tx, scope, id);
  await assertUnused(tx, { kind: 'captcha_account', key: String(id) });
  await tx.delete(captchaAccount).where(one(scope, id));
}

/** So many of the sites that use an account are told by name. */
const namesMax = 5;

function selectAccounts(db: Db) {
  const document = { kind: 'captcha_account', id: sql`${captchaAccount.id}` } as const;
  return db
    .select({
      account: captchaAccount,
      clientName: client.name,
      siteCount: countUsers('site', document),
      levelCount: countUsers('level', document),
      sites: sql<string[]>`ARRAY(SELECT coalesce(s.config->'domains'->>0, '#' || s.id)
        FROM edge_use u JOIN site s ON s.id = u.user_id
        WHERE u.user_kind = 'site' AND u.dep_kind = 'captcha_account' AND u.dep_key = ${captchaAccount.id}::text
        ORDER BY s.id LIMIT ${namesMax})`,
    })
    .from(captchaAccount)
    .leftJoin(client, eq(client.id, captchaAccount.clientId))
    .$dynamic();
}

const present = ({
  account,
  clientName,
  siteCount,
  levelCount,
  sites,
}: Awaited<ReturnType<typeof selectAccounts>>[number]): CaptchaAccount => ({
  id: account.id,
  name: account.name,
  client_id: account.clientId,
  client_name: clientName,
  provider: account.provider,
  params: hideSecrets(captchaProviders[account.provider].params, account.params) as CaptchaAccount['params'],
  version: account.version,
  checked_at: isoOrNull(account.checkedAt),
  last_error: account.lastError,
  site_count: siteCount,
  level_count: levelCount,
  sites,
  created_at: iso(account.createdAt),
  updated_at: iso(account.updatedAt),
});
