import {
  dnsProviders,
  hideSecrets,
  isGiven,
  secretPlaces,
  type DnsAccount,
  type DnsAccountInput,
  type DnsProviderCode,
} from '@breakwater/contract';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound, type FieldIssue } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { among, contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { certificateOrder, client, dnsAccount } from '../../db/schema.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import { assertSealed, keepSecrets, sealValue } from '../../secret-values.ts';
import type { Secrets } from '../../secrets.ts';

const constraints = { dns_account_client_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;
/** One owner has so many. */
const accountsMax = 100;

const one = (scope: Scope, id: number) => and(eq(dnsAccount.id, id), owned(dnsAccount, scope));

interface Filter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  provider?: DnsProviderCode | undefined;
  client_id?: number | undefined;
}

export async function listDnsAccounts(db: Db, scope: Scope, query: Filter) {
  const where = and(
    owned(dnsAccount, scope),
    among(dnsAccount.id, query.ids),
    contains(dnsAccount.name, query.name),
    query.provider && eq(dnsAccount.provider, query.provider),
    query.client_id ? eq(dnsAccount.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectAccounts(db)
      .where(where)
      .orderBy(sql`${dnsAccount.clientId} NULLS FIRST`, asc(dnsAccount.name))
      .limit(limit)
      .offset(offset),
    db.$count(dnsAccount, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getDnsAccount(db: Db, scope: Scope, id: number): Promise<DnsAccount> {
  const [row] = await selectAccounts(db).where(one(scope, id));
  if (!row) throw notFound();
  return present(row);
}

/** With its secrets, sealed. */
export async function readDnsAccount(db: Db, scope: Scope, id: number) {
  const [row] = await db.select().from(dnsAccount).where(one(scope, id));
  if (!row) throw notFound();
  return row;
}

export async function createDnsAccount(
  tx: Transaction,
  scope: Scope,
  secrets: Secrets,
  input: DnsAccountInput,
): Promise<number> {
  const clientId = ownerOfNew(scope);
  const owner = clientId === null ? isNull(dnsAccount.clientId) : eq(dnsAccount.clientId, clientId);
  if ((await tx.$count(dnsAccount, owner)) >= accountsMax) throw new ApiError('too_many');
  const { name, provider } = input;
  const params = sealedParams(input, secrets, undefined, '');
  const [row] = await mapConstraints(constraints, () =>
    tx.insert(dnsAccount).values({ clientId, name, provider, params }).returning({ id: dnsAccount.id }),
  );
  return row!.id;
}

/** Answers the new version. What was found out about the account before is forgotten. */
export async function updateDnsAccount(
  tx: Transaction,
  scope: Scope,
  secrets: Secrets,
  change: { id: number; version: number; value: DnsAccountInput },
): Promise<number> {
  const { id, version, value } = change;
  const [before] = await tx.select().from(dnsAccount).where(one(scope, id)).for('update');
  if (!before) throw notFound();
  if (before.version !== version) throw new ApiError('stale_version');
  const params = sealedParams(value, secrets, before, 'value.');
  const { name, provider } = value;
  const next = { name, provider, params, version: version + 1, checkedAt: null, lastError: '' };
  await mapConstraints({ dns_account_client_name_unique: ['value.name', 'name_taken'] }, () =>
    tx.update(dnsAccount).set(next).where(one(scope, id)),
  );
  return next.version;
}

/**
 * With the secrets of what stood there where none are sent, but not for another server: a kept secret would be told to whom it
 * was not entered for. Each secret of a provider is needed.
 */
function sealedParams(
  { provider, params }: DnsAccountInput,
  secrets: Secrets,
  before: { provider: string; params: Record<string, unknown> } | undefined,
  path: string,
): Record<string, unknown> {
  const { params: schema, target } = dnsProviders[provider];
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
export async function noteTest(
  db: Db,
  scope: Scope,
  { id, version, lastError }: { id: number; version: number; lastError: string },
): Promise<void> {
  await db
    .update(dnsAccount)
    .set({ checkedAt: new Date(), lastError, updatedAt: sql`${dnsAccount.updatedAt}` })
    .where(and(one(scope, id), eq(dnsAccount.version, version)));
}

export async function removeDnsAccount(db: Db, scope: Scope, id: number): Promise<void> {
  const rows = await mapConstraints({}, () =>
    db.delete(dnsAccount).where(one(scope, id)).returning({ id: dnsAccount.id }),
  );
  if (rows.length === 0) throw notFound();
}

/** So many of those that use an account are told by name. */
const namesMax = 5;

function selectAccounts(db: Db) {
  const using = sql`FROM ${certificateOrder} WHERE ${certificateOrder.dnsAccountId} = ${dnsAccount.id}`;
  return db
    .select({
      account: dnsAccount,
      clientName: client.name,
      orderCount: sql<number>`(SELECT count(*)::integer ${using})`,
      orders: sql<string[]>`ARRAY(SELECT ${certificateOrder.name} ${using} ORDER BY 1 LIMIT ${namesMax})`,
    })
    .from(dnsAccount)
    .leftJoin(client, eq(client.id, dnsAccount.clientId))
    .$dynamic();
}

const present = ({
  account,
  clientName,
  orderCount,
  orders,
}: Awaited<ReturnType<typeof selectAccounts>>[number]): DnsAccount => ({
  id: account.id,
  name: account.name,
  client_id: account.clientId,
  client_name: clientName,
  provider: account.provider,
  params: hideSecrets(dnsProviders[account.provider].params, account.params) as DnsAccount['params'],
  version: account.version,
  checked_at: isoOrNull(account.checkedAt),
  last_error: account.lastError,
  order_count: orderCount,
  orders,
  created_at: iso(account.createdAt),
  updated_at: iso(account.updatedAt),
});
