import type { SiteSnapshot } from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import { addressList, siteAddressList } from '../../db/access-schema.ts';
import type { Transaction } from '../../db/database.ts';
import { order, site } from '../../db/schema.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
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

/** A list goes wherever a site that uses it is served, and nowhere else. */
export async function publishAddressList(
  tx: Transaction,
  id: number,
  task: NewTask | { id: number },
): Promise<number | null> {
  const [row] = await tx
    .select({ v4: addressList.v4, v6: addressList.v6 })
    .from(addressList)
    .where(eq(addressList.id, id));
  const groups = await tx
    .selectDistinct({ id: order.lineGroupId })
    .from(siteAddressList)
    .innerJoin(site, eq(site.id, siteAddressList.siteId))
    .innerJoin(order, eq(order.id, site.orderId))
    .where(eq(siteAddressList.addressListId, id))
    .orderBy(asc(order.lineGroupId));
  const { taskId } = await publishDocument(tx, {
    kind: 'address_list',
    key: String(id),
    lineGroupIds: groups.map((group) => group.id),
    body: { list_id: id, v4: row!.v4, v6: row!.v6 },
    task,
  });
  return taskId;
}

export async function withdrawAddressList(tx: Transaction, id: number): Promise<void> {
  await removeDocument(tx, { kind: 'address_list', key: String(id) });
}

/** The lists that a site's rules name. */
export function listsOf({ access_control: control }: SiteSnapshot): number[] {
  return [...new Set(control.rules.flatMap((rule) => rule.address_lists))];
}

interface UsingSite {
  id: number;
  clientId: number;
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
  options: { isAdmin: boolean; path: string },
): Promise<void> {
  const wanted = listsOf(after);
  const former = new Set(listsOf(before));
  const owner = options.isAdmin
    ? or(eq(addressList.clientId, clientId), isNull(addressList.clientId))
    : eq(addressList.clientId, clientId);
  const found = await tx
    .select({ id: addressList.id })
    .from(addressList)
    .where(
      and(
        inArray(addressList.id, wanted),
        former.size > 0 ? or(owner, inArray(addressList.id, [...former])) : owner,
      ),
    )
    .for('share');
  const known = new Set(found.map((row) => row.id));
  const fields = after.access_control.rules.flatMap((rule, index): FieldIssue[] =>
    rule.address_lists.flatMap((list, place): FieldIssue[] =>
      known.has(list)
        ? []
        : [{ path: `${options.path}.rules.${index}.address_lists.${place}`, issue: 'does_not_exist' }],
    ),
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
  await tx.delete(siteAddressList).where(eq(siteAddressList.siteId, id));
  const rows = [...known].map((addressListId) => ({ siteId: id, addressListId }));
  if (rows.length > 0) await tx.insert(siteAddressList).values(rows);
}
