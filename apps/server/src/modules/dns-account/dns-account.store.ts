import { dnsProviders, type DnsAccount, type DnsProviderCode } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { certificateOrder, client, dnsAccount } from '../../db/schema.ts';
import { ProviderAccounts } from '../../provider-account.ts';
import type { Scope } from '../../scope.ts';

export const dnsAccounts = new ProviderAccounts(dnsAccount, dnsProviders, 'dns_account_client_name_unique');

interface Filter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  provider?: DnsProviderCode | undefined;
  client_id?: number | undefined;
  usable_by?: number | 'platform' | undefined;
}

export async function listDnsAccounts(db: Db, scope: Scope, query: Filter) {
  const where = dnsAccounts.found(scope, query);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectAccounts(db)
      .where(where)
      .orderBy(...dnsAccounts.order)
      .limit(limit)
      .offset(offset),
    db.$count(dnsAccount, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getDnsAccount(db: Db, scope: Scope, id: number): Promise<DnsAccount> {
  const [row] = await selectAccounts(db).where(dnsAccounts.one(scope, id));
  if (!row) throw notFound();
  return present(row);
}

export async function removeDnsAccount(db: Db, scope: Scope, id: number): Promise<void> {
  const rows = await mapConstraints({}, () =>
    db.delete(dnsAccount).where(dnsAccounts.one(scope, id)).returning({ id: dnsAccount.id }),
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

type Selected = Awaited<ReturnType<typeof selectAccounts>>[number];

const present = ({ account, clientName, orderCount, orders }: Selected) =>
  ({
    ...dnsAccounts.present(account, clientName),
    order_count: orderCount,
    orders,
  }) as DnsAccount;
