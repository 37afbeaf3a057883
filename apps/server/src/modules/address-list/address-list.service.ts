import type { LevelRef, SiteSnapshot } from '@breakwater/contract';
import { noteAskedData } from '@breakwater/policy/access/asked-data';
import { and, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { ApiError, notFound, type FieldIssue } from '../../api-error.ts';
import { addressList } from '../../db/schema.ts';
import type { Transaction } from '../../db/database.ts';
import { publishToUsers } from '../../delivery/edge-use.ts';
import { storedText } from '../../delivery/publish.ts';
import type { NewTask } from '../../delivery/tasks.ts';

/** Address lists on their way to the nodes, and who may name them; always in the transaction of the change. */

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

/** The document of a list: what nodes search in. It lies in the database as it was packed; base64 needs no escapes in JSON. */
export async function addressListBody(tx: Transaction, _secrets: unknown, key: string) {
  const text = sql`(SELECT '{"list_id":' || id || ',"v4":"' || v4 || '","v6":"' || v6 || '"}'
    FROM address_list WHERE id = ${Number(key)})`;
  const body = await storedText(tx, text);
  if (!body) throw notFound();
  return { body };
}

/** A list that was changed goes to whoever uses it. */
export async function publishAddressList(
  tx: Transaction,
  id: number,
  task?: NewTask,
): Promise<number | null> {
  const { body } = await addressListBody(tx, undefined, String(id));
  return publishToUsers(tx, { kind: 'address_list', key: String(id), body, task });
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
    if (name === 'list_id') return [{ path: here, id: Number(part) }];
    const isNamed =
      name === 'address_lists' || (name === 'values' && 'field' in value && value.field === 'address_list');
    if (!isNamed) return namesOfLists(part, here);
    return (part as (string | number)[]).map((id, index) => ({ path: `${here}.${index}`, id: Number(id) }));
  });
}

/** What names lists now: a section under the path of its value, or more under one path. */
export interface NamingValue {
  isAdmin: boolean;
  path: string;
  section: object | undefined;
}

/**
 * Refuses lists that a site may not name. It may those of its customer, for an administrator also the platform's, and whatever
 * it named before.
 */
export async function checkListsOfSite(
  tx: Transaction,
  { clientId }: { clientId: number },
  before: SiteSnapshot,
  after: SiteSnapshot,
  naming: NamingValue,
): Promise<void> {
  const owner = naming.isAdmin
    ? or(eq(addressList.clientId, clientId), isNull(addressList.clientId))
    : eq(addressList.clientId, clientId);
  await checkLists(tx, owner, listsOf(before), listsOf(after), naming);
}

/** The same for a level: a customer's names the customer's lists and the platform's, the others the platform's. */
export async function checkListsOfLevel(
  tx: Transaction,
  { level, target_id: target }: LevelRef,
  before: object,
  after: object,
  section: object | undefined,
): Promise<void> {
  const ofPlatform = isNull(addressList.clientId);
  const owner = level === 'client' ? or(eq(addressList.clientId, target), ofPlatform) : ofPlatform;
  const naming = { isAdmin: true, path: section === undefined ? 'revision_id' : 'value', section };
  await checkLists(tx, owner, listsOf(before), listsOf(after), naming);
}

/** Those that are wanted are all there and of this owner, or named before; they stay until the transaction ends. */
async function checkLists(
  tx: Transaction,
  owner: SQL | undefined,
  former: number[],
  wanted: number[],
  { section, path }: NamingValue,
): Promise<void> {
  const found = await tx
    .select({ id: addressList.id })
    .from(addressList)
    .where(
      and(
        inArray(addressList.id, wanted),
        former.length > 0 ? or(owner, inArray(addressList.id, former)) : owner,
      ),
    )
    .orderBy(addressList.id)
    .for('share');
  const known = new Set(found.map((row) => row.id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length === 0) return assertFilledByRules(tx, section, path);
  const named = section === undefined ? [] : namesOfLists(section, path);
  const fields = named
    .filter(({ id }) => unknown.includes(id))
    .map((each): FieldIssue => ({ path: each.path, issue: 'does_not_exist' }));
  throw new ApiError('invalid_input', fields.length > 0 ? fields : [{ path, issue: 'does_not_exist' }]);
}

/** Rules put visitors only on lists that are for that. */
async function assertFilledByRules(
  tx: Transaction,
  section: object | undefined,
  path: string,
): Promise<void> {
  const filled = filledLists(section, path);
  if (filled.length === 0) return;
  const rows = await tx
    .select({ id: addressList.id })
    .from(addressList)
    .where(
      and(
        inArray(
          addressList.id,
          filled.map(({ id }) => id),
        ),
        ne(addressList.source, 'rules'),
      ),
    );
  const others = filled.filter(({ id }) => rows.some((row) => row.id === id));
  if (others.length === 0) return;
  throw new ApiError(
    'invalid_input',
    others.map((each): FieldIssue => ({ path: each.path, issue: 'address_list_not_filled' })),
  );
}

function filledLists(value: unknown, path: string): { path: string; id: number }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('action' in value && value.action === 'list' && 'list' in value) {
    const { list_id: id } = value.list as { list_id?: number };
    return id === undefined ? [] : [{ path: `${path}.list.list_id`, id }];
  }
  return Object.entries(value).flatMap(([name, part]) => filledLists(part, `${path}.${name}`));
}
