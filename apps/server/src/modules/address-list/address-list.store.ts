import type { addressListInput } from '@breakwater/contract';
import { isInSet } from '@breakwater/policy/address-set';
import { parseAddress } from '@breakwater/policy/ip';
import { and, asc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import { addressList, client, levelAddressList, site, siteAddressList } from '../../db/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import { listTask, publishAddressList, withdrawAddressList } from './address-list.service.ts';
import { packContent } from './address-list.rules.ts';

export type AddressListInput = z.infer<typeof addressListInput>;
const constraints = { address_list_client_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;
/** One owner has so many. */
const listsMax = 200;

export const within = (scope: Scope): SQL | undefined =>
  'all' in scope ? undefined : eq(addressList.clientId, scope.clientId);

interface Filter {
  current_page: number;
  page_size: number;
  name?: string | undefined;
  client_id?: number | undefined;
  usable_by?: number | undefined;
}

export async function listAddressLists(db: Db, scope: Scope, query: Filter) {
  const where = and(
    within(scope),
    contains(addressList.name, query.name),
    query.client_id ? eq(addressList.clientId, query.client_id) : undefined,
    query.usable_by ? or(eq(addressList.clientId, query.usable_by), isNull(addressList.clientId)) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectLists(db)
      .where(where)
      .orderBy(sql`${addressList.clientId} NULLS FIRST`, asc(addressList.name))
      .limit(limit)
      .offset(offset),
    db.$count(addressList, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getAddressList(db: Db, scope: Scope, id: number) {
  const where = and(eq(addressList.id, id), within(scope));
  const [row] = await selectLists(db).where(where);
  if (!row) throw notFound();
  const [[text], sites] = await Promise.all([
    db.select({ content: addressList.content }).from(addressList).where(where),
    db
      .select({ id: site.id, domain: sql<string>`${site.config}->'domains'->>0` })
      .from(siteAddressList)
      .innerJoin(site, eq(site.id, siteAddressList.siteId))
      .where(and(eq(siteAddressList.addressListId, id), sitesWithin(scope)))
      .orderBy(asc(site.id))
      .limit(200),
  ]);
  return { ...present(row), content: text!.content, sites };
}

/** Of some lists, those that are visible, each with whether it names an address. */
export async function listsNaming(db: Db, scope: Scope, ids: number[], ip: string) {
  const rows = await db
    .select({ id: addressList.id, v4: addressList.v4, v6: addressList.v6 })
    .from(addressList)
    .where(and(inArray(addressList.id, ids), within(scope)))
    .orderBy(asc(addressList.id));
  const address = parseAddress(ip);
  const bytes = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
  return rows.map(({ id, v4, v6 }) => ({
    id,
    listed: address !== undefined && isInSet(address, { v4: bytes(v4), v6: bytes(v6) }),
  }));
}

const sitesWithin = (scope: Scope) => ('all' in scope ? undefined : eq(site.clientId, scope.clientId));

export async function createAddressList(db: Db, scope: Scope, input: AddressListInput): Promise<number> {
  const clientId = 'all' in scope ? null : scope.clientId;
  const owner = clientId === null ? isNull(addressList.clientId) : eq(addressList.clientId, clientId);
  if ((await db.$count(addressList, owner)) >= listsMax) throw new ApiError('too_many');
  const [row] = await mapConstraints(constraints, () =>
    db
      .insert(addressList)
      .values({ ...valuesOf(input), ...contentOf(input), clientId })
      .returning({ id: addressList.id }),
  );
  return row!.id;
}

/** Keeps what was last fetched, as long as the list comes from the same URL. */
export async function updateAddressList(
  db: Database['db'],
  scope: Scope,
  session: Session,
  id: number,
  input: AddressListInput,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    const where = and(eq(addressList.id, id), within(scope));
    const [before] = await tx
      .select({ source: addressList.source, url: addressList.url })
      .from(addressList)
      .where(where)
      .for('update');
    if (!before) throw notFound();
    const isSame = input.source === 'url' && before.source === 'url' && before.url === input.url;
    await mapConstraints(constraints, () =>
      tx
        .update(addressList)
        .set({ ...valuesOf(input), ...(isSame ? {} : contentOf(input)) })
        .where(where),
    );
    return publishAddressList(tx, id, await listTask(tx, id, session.name));
  });
}

export async function removeAddressList(db: Database['db'], scope: Scope, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await mapConstraints({}, () =>
      tx
        .delete(addressList)
        .where(and(eq(addressList.id, id), within(scope)))
        .returning({ id: addressList.id }),
    );
    if (rows.length === 0) throw notFound();
    await withdrawAddressList(tx, id);
  });
}

const valuesOf = (input: AddressListInput) => ({
  name: input.name,
  description: input.description,
  source: input.source,
  url: input.source === 'url' ? input.url : '',
  intervalSeconds: input.interval_seconds,
});

/** What the list holds now: of one from a URL nothing, until it has been fetched. */
function contentOf(input: AddressListInput) {
  const isUrl = input.source === 'url';
  return {
    ...packContent(isUrl ? '' : input.content),
    fetchedAt: null,
    triedAt: null,
    lastError: '',
    nextFetchAt: isUrl ? sql`now()` : null,
  };
}

function selectLists(db: Db) {
  return db
    .select({
      id: addressList.id,
      name: addressList.name,
      description: addressList.description,
      clientId: addressList.clientId,
      clientName: client.name,
      source: addressList.source,
      url: addressList.url,
      intervalSeconds: addressList.intervalSeconds,
      entryCount: addressList.entryCount,
      siteCount: sql<number>`(SELECT count(*)::int FROM ${siteAddressList} WHERE ${siteAddressList.addressListId} = ${addressList.id})`,
      levelCount: sql<number>`(SELECT count(*)::int FROM ${levelAddressList} WHERE ${levelAddressList.addressListId} = ${addressList.id})`,
      fetchedAt: addressList.fetchedAt,
      triedAt: addressList.triedAt,
      lastError: addressList.lastError,
      createdAt: addressList.createdAt,
      updatedAt: addressList.updatedAt,
    })
    .from(addressList)
    .leftJoin(client, eq(client.id, addressList.clientId))
    .$dynamic();
}

const present = (row: Awaited<ReturnType<typeof selectLists>>[number]) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  client_id: row.clientId,
  client_name: row.clientName,
  source: row.source,
  url: row.url,
  interval_seconds: row.intervalSeconds,
  entry_count: row.entryCount,
  site_count: row.siteCount,
  level_count: row.levelCount,
  fetched_at: row.fetchedAt && iso(row.fetchedAt),
  last_error: row.lastError,
  tried_at: row.triedAt && iso(row.triedAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
