import { captchaProviders, type CaptchaAccount, type CaptchaProviderCode } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { captchaAccount, client } from '../../db/schema.ts';
import { assertUnused, countUsers } from '../../delivery/edge-use.ts';
import { ProviderAccounts } from '../../provider-account.ts';
import type { Scope } from '../../scope.ts';

export const captchaAccounts = new ProviderAccounts(
  captchaAccount,
  captchaProviders,
  'captcha_account_client_name_unique',
);

interface Filter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  provider?: CaptchaProviderCode | undefined;
  client_id?: number | undefined;
  usable_by?: number | 'platform' | undefined;
}

export async function listCaptchaAccounts(db: Db, scope: Scope, query: Filter) {
  const where = captchaAccounts.found(scope, query);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectAccounts(db)
      .where(where)
      .orderBy(...captchaAccounts.order)
      .limit(limit)
      .offset(offset),
    db.$count(captchaAccount, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getCaptchaAccount(db: Db, scope: Scope, id: number): Promise<CaptchaAccount> {
  const [row] = await selectAccounts(db).where(captchaAccounts.one(scope, id));
  if (!row) throw notFound();
  return present(row);
}

/** Refused while a site or a level names it: with its row locked, which they lock before they do. */
export async function removeCaptchaAccount(tx: Transaction, scope: Scope, id: number): Promise<void> {
  await captchaAccounts.lock(tx, scope, id);
  await assertUnused(tx, { kind: 'captcha_account', key: String(id) });
  await tx.delete(captchaAccount).where(captchaAccounts.one(scope, id));
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

type Selected = Awaited<ReturnType<typeof selectAccounts>>[number];

const present = ({ account, clientName, siteCount, levelCount, sites }: Selected) =>
  ({
    ...captchaAccounts.present(account, clientName),
    site_count: siteCount,
    level_count: levelCount,
    sites,
  }) as CaptchaAccount;
