import type { LevelRef, SiteSnapshot } from '@breakwater/contract';
import { noteAskedData } from '@breakwater/policy/asked-data';
import { and, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import { addressList, levelAddressList, siteAddressList } from '../../db/schema.ts';
import type { Transaction } from '../../db/database.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';

/** Address lists on their way to the nodes, and which sites use them; always in the transaction of the change. */

export async function listTask(tx: Transaction, id: number, createdBy: string): Promise<NewTask> {
  const [row] = await tx
    .select({ name: addressList.name, clientId: addressList.clientId })
    .from(addressList)
    .where(eq(addressList.id, id));
  return {
    type: 'address_list_update',
    title: row?.name ?? String(id),
    objectKind: 'address_list',
    objectId: id,
    clientId: row?.clientId ?? undefined,
    createdBy,
  };
}

/** A list goes wherever a site is served that uses it or has a level that does, and nowhere else. */
export async function publishAddressList(
  tx: Transaction,
  id: number,
  task?: NewTask | { id: number },
): Promise<number | null> {
  const [row] = await tx
    .select({ v4: addressList.v4, v6: addressList.v6 })
    .from(addressList)
    .where(eq(addressList.id, id));
  const groups = await rowsOf<{ id: number }>(tx, groupsOf(id));
  const { taskId } = await publishDocument(tx, {
    kind: 'address_list',
    key: String(id),
    lineGroupIds: groups.map((group) => group.id),
    body: { list_id: id, v4: row!.v4, v6: row!.v6 },
    ...(task === undefined ? {} : { task }),
  });
  return taskId;
}

const groupsOf = (list: number): SQL => sql`
  SELECT o.line_group_id AS id FROM site_address_list u JOIN site s ON s.id = u.site_id
    JOIN "order" o ON o.id = s.order_id WHERE u.address_list_id = ${list}
  UNION SELECT o.line_group_id FROM level_address_list u JOIN site_level l ON l.id = u.level_id
    JOIN "order" o ON l.level = 'product' AND o.product_id = l.target_id
      OR l.level = 'client' AND o.client_id = l.target_id
    WHERE u.address_list_id = ${list} AND EXISTS (SELECT 1 FROM site s WHERE s.order_id = o.id)
  UNION SELECT g.id FROM line_group g WHERE EXISTS (
    SELECT 1 FROM level_address_list u JOIN site_level l ON l.id = u.level_id
    WHERE u.address_list_id = ${list} AND l.level = 'global')
  ORDER BY 1`;

export async function withdrawAddressList(tx: Transaction, id: number): Promise<void> {
  await removeDocument(tx, { kind: 'address_list', key: String(id) });
}

/** The lists that rules of a site or a level name, wherever they do. */
export function listsOf(values: object): number[] {
  const { lists } = noteAskedData(values, { lists: {}, places: false });
  return Object.keys(lists)
    .map(Number)
    .toSorted((one, other) => one - other);
}

/** The same with the paths at which they are named. */
function namesOfLists(value: unknown, path: string): { path: string; id: number }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = `${path}.${name}`;
    const isNamed =
      name === 'address_lists' || (name === 'values' && 'field' in value && value.field === 'address_list');
    if (!isNamed) return namesOfLists(part, here);
    return (part as (string | number)[]).map((id, index) => ({ path: `${here}.${index}`, id: Number(id) }));
  });
}

interface UsingSite {
  id: number;
  clientId: number;
}

/** What names lists now: a section under the path of its value, or more under one path. */
export interface NamingValue {
  isAdmin: boolean;
  path: string;
  section: object | undefined;
}

/**
 * Notes which lists a site uses from now on. It may name those of its customer, for an administrator also the platform's, and
 * whatever it named before.
 */
export async function useAddressLists(
  tx: Transaction,
  { id, clientId }: UsingSite,
  before: SiteSnapshot,
  after: SiteSnapshot,
  naming: NamingValue,
): Promise<void> {
  const owner = naming.isAdmin
    ? or(eq(addressList.clientId, clientId), isNull(addressList.clientId))
    : eq(addressList.clientId, clientId);
  const known = await checkedLists(tx, owner, listsOf(before), listsOf(after), naming);
  await tx.delete(siteAddressList).where(eq(siteAddressList.siteId, id));
  const rows = known.map((addressListId) => ({ siteId: id, addressListId }));
  if (rows.length > 0) await tx.insert(siteAddressList).values(rows);
}

/** The same for a level: a customer's names the customer's lists and the platform's, the others the platform's. */
export async function useListsAtLevel(
  tx: Transaction,
  levelId: number,
  { level, target_id: target }: LevelRef,
  before: object,
  after: object,
  section: object | undefined,
): Promise<void> {
  const ofPlatform = isNull(addressList.clientId);
  const owner = level === 'client' ? or(eq(addressList.clientId, target), ofPlatform) : ofPlatform;
  const naming = { isAdmin: true, path: section === undefined ? 'revision_id' : 'value', section };
  const known = await checkedLists(tx, owner, listsOf(before), listsOf(after), naming);
  await tx.delete(levelAddressList).where(eq(levelAddressList.levelId, levelId));
  const rows = known.map((addressListId) => ({ levelId, addressListId }));
  if (rows.length > 0) await tx.insert(levelAddressList).values(rows);
}

/** Those that are wanted, all of them there and of this owner or named before. */
async function checkedLists(
  tx: Transaction,
  owner: SQL | undefined,
  former: number[],
  wanted: number[],
  { section, path }: NamingValue,
): Promise<number[]> {
  const found = await tx
    .select({ id: addressList.id })
    .from(addressList)
    .where(
      and(
        inArray(addressList.id, wanted),
        former.length > 0 ? or(owner, inArray(addressList.id, former)) : owner,
      ),
    )
    .for('share');
  const known = new Set(found.map((row) => row.id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length === 0) return wanted;
  const named = section === undefined ? [] : namesOfLists(section, path);
  const fields = named
    .filter(({ id }) => unknown.includes(id))
    .map((each): FieldIssue => ({ path: each.path, issue: 'does_not_exist' }));
  throw new ApiError('invalid_input', fields.length > 0 ? fields : [{ path, issue: 'does_not_exist' }]);
}
