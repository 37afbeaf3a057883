import { addressListsMax, type addressListInput } from '@breakwater/contract';
import { isInSet } from '@breakwater/policy/address/address-set';
import { parseAddress } from '@breakwater/policy/address/ip';
import { and, asc, count, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import { addressList, client, edgeUse, site } from '../../db/schema.ts';
import type { Database, Db, Transaction } from '../../db/database.ts';
import { among, contains, iso, listPage, pageOf } from '../../db/page.ts';
import { assertUnused, countUsers } from '../../delivery/edge-use.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import { listTask, publishAddressList } from './address-list.service.ts';
import { assertWithin, limitOf } from '../customer-limit/customer-limit.service.ts';
import { entriesLimit, otherEntries } from './address-list-limits.ts';
import { packList } from './address-list-pack.ts';

export { addEntries } from './rule-entries.ts';

export type AddressListInput = z.infer<typeof addressListInput>;
const constraints = { address_list_client_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;

export const within = (scope: Scope): SQL | undefined => owned(addressList, scope);

interface Filter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  client_id?: number | undefined;
  usable_by?: number | 'platform' | undefined;
  source?: AddressListInput['source'] | undefined;
}

function usableBy(owner: Filter['usable_by']): SQL | undefined {
  if (owner === undefined) return undefined;
  const platforms = isNull(addressList.clientId);
  return owner === 'platform' ? platforms : or(eq(addressList.clientId, owner), platforms);
}

export async function listAddressLists(db: Db, scope: Scope, query: Filter) {
  const where = and(
    within(scope),
    among(addressList.id, query.ids),
    contains(addressList.name, query.name),
    query.client_id ? eq(addressList.clientId, query.client_id) : undefined,
    usableBy(query.usable_by),
    query.source ? eq(addressList.source, query.source) : undefined,
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
      .from(edgeUse)
      .innerJoin(site, and(eq(edgeUse.userKind, 'site'), eq(site.id, edgeUse.userId)))
      .where(and(eq(edgeUse.depKind, 'address_list'), eq(edgeUse.depKey, String(id)), owned(site, scope)))
      .orderBy(asc(site.id))
      .limit(200),
  ]);
  return { ...present(row), content: text!.content, sites };
}

/** Of some lists, those that are visible, each with whether it names an address. */
export async function listsNaming(db: Db, scope: Scope, ids: number[], ip: string) {
  const address = parseAddress(ip);
  const bytes = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
  const found: { id: number; listed: boolean }[] = [];
  // One after the other: all of them may be a gigabyte.
  for (const id of [...new Set(ids)].toSorted((one, other) => one - other)) {
    const [row] = await db
      .select({ v4: addressList.v4, v6: addressList.v6 })
      .from(addressList)
      .where(and(eq(addressList.id, id), within(scope)));
    if (!row) continue;
    const set = { v4: bytes(row.v4), v6: bytes(row.v6) };
    found.push({ id, listed: address !== undefined && isInSet(address, set) });
  }
  return found;
}

export async function createAddressList(
  db: Database['db'],
  scope: Scope,
  actor: Actor,
  input: AddressListInput,
): Promise<number> {
  const clientId = ownerOfNew(scope);
  const content = await contentOf(input);
  return db.transaction(async (tx) => {
    await checkNew(tx, clientId, content.entryCount);
    const [row] = await mapConstraints(constraints, () =>
      tx
        .insert(addressList)
        .values({ ...valuesOf(input), ...content, clientId })
        .returning({ id: addressList.id }),
    );
    await recordEvent(tx, {
      kind: 'created',
      subject: { kind: 'address_list', id: row!.id, name: input.name },
      clientId,
      actor,
      data: { changes: changesOf(undefined, toldOf({ ...valuesOf(input), ...content })) },
    });
    return row!.id;
  });
}

/** Refuses a list more than its owner may have, and more entries. */
async function checkNew(tx: Transaction, clientId: number | null, entries: number): Promise<void> {
  const limit = clientId === null ? null : await limitOf(tx, clientId, 'address_lists');
  const owner = clientId === null ? isNull(addressList.clientId) : eq(addressList.clientId, clientId);
  const [has] = await tx
    .select({ lists: count(), entries: sql<number>`coalesce(sum(${addressList.entryCount}), 0)::int` })
    .from(addressList)
    .where(owner);
  const { lists, entries: others } = has!;
  if (lists >= addressListsMax) throw new ApiError('too_many');
  assertWithin(lists + 1, limit, 'name', 'address_list_count');
  if (clientId === null) return;
  const most = await limitOf(tx, clientId, 'address_list_entries');
  assertWithin(others + entries, most, 'content', 'address_list_entries');
}

/** Without what stands in it, which may be megabytes. */
const toldColumns = {
  name: addressList.name,
  description: addressList.description,
  source: addressList.source,
  url: addressList.url,
  intervalSeconds: addressList.intervalSeconds,
  entryCount: addressList.entryCount,
  clientId: addressList.clientId,
  version: addressList.version,
};

/** What events tell of a list: how many addresses it has, not which. */
const toldOf = (row: ReturnType<typeof valuesOf> & { entryCount: number }) => ({
  name: row.name,
  description: row.description,
  source: row.source,
  url: row.url,
  interval_seconds: row.intervalSeconds,
  entry_count: row.entryCount,
});

/** Keeps what was last fetched, as long as the list comes from the same URL. Throws `stale_version` for a change of an older one. */
export async function updateAddressList(
  db: Database['db'],
  scope: Scope,
  session: Session,
  id: number,
  { version, ...input }: AddressListInput & { version: number },
): Promise<number | null> {
  const where = and(eq(addressList.id, id), within(scope));
  // A stranger to the list has nothing packed.
  if ((await db.$count(addressList, where)) === 0) throw notFound();
  const content = await contentOf(input);
  return db.transaction(async (tx) => {
    const most = await entriesLimit(tx, id);
    const [before] = await tx.select(toldColumns).from(addressList).where(where).for('update');
    if (!before) throw notFound();
    if (before.version !== version) throw new ApiError('stale_version');
    if (most !== null)
      assertWithin(
        (await otherEntries(tx, id)) + content.entryCount,
        most,
        'content',
        'address_list_entries',
      );
    const isSame = before.source === input.source && isKept(before, input);
    if (before.source === 'rules' && input.source !== 'rules')
      await assertUnused(tx, { kind: 'address_list', key: String(id) });
    const [after] = await mapConstraints(constraints, () =>
      tx
        .update(addressList)
        .set({ ...valuesOf(input), ...(isSame ? {} : content), version: version + 1 })
        .where(where)
        .returning(toldColumns),
    );
    await recordEvent(tx, {
      kind: 'updated',
      subject: { kind: 'address_list', id, name: input.name },
      clientId: before.clientId,
      actor: session,
      data: { changes: changesOf(toldOf(before), toldOf(after!)) },
    });
    return publishAddressList(tx, id, await listTask(tx, id, session.name));
  });
}

/** What was fetched stays as long as it comes from the same URL, and whom rules put on it stays in any case. */
const isKept = (before: { url: string }, { source, url }: AddressListInput): boolean =>
  source === 'rules' || (source === 'url' && before.url === url);

export async function removeAddressList(
  db: Database['db'],
  scope: Scope,
  actor: Actor,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const where = and(eq(addressList.id, id), within(scope));
    const [row] = await tx.select(toldColumns).from(addressList).where(where).for('update');
    if (!row) throw notFound();
    await assertUnused(tx, { kind: 'address_list', key: String(id) });
    await tx.delete(addressList).where(where);
    const { name, clientId } = row;
    await recordEvent(tx, { kind: 'removed', subject: { kind: 'address_list', id, name }, clientId, actor });
  });
}

const valuesOf = (input: AddressListInput) => ({
  name: input.name,
  description: input.description ?? input.name,
  source: input.source,
  url: input.source === 'url' ? input.url : '',
  intervalSeconds: input.interval_seconds,
});

/** What the list holds now: of one from a URL nothing, until it has been fetched, nor of one that rules fill. Throws `invalid_input` at `content`. */
async function contentOf(input: AddressListInput) {
  const isUrl = input.source === 'url';
  const packed = await packList(input.source === 'inline' ? input.content : '');
  if ('problem' in packed) throw invalid('content', packed.problem);
  return {
    ...packed,
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
      siteCount: countUsers('site', { kind: 'address_list', id: sql`${addressList.id}` }),
      levelCount: countUsers('level', { kind: 'address_list', id: sql`${addressList.id}` }),
      fetchedAt: addressList.fetchedAt,
      triedAt: addressList.triedAt,
      version: addressList.version,
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
  version: row.version,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
