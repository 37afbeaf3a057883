import { ruleEntriesMax, type RuleAct } from '@breakwater/contract';
import { banNameOf } from '@breakwater/policy/protect/bans';
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { addressList, addressListEntry, edgeUse } from '../../db/schema.ts';
import { eachItem } from '../../each-item.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvent, type Actor } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { entriesLimit, otherEntries } from './address-list-limits.ts';
import { packList } from './address-list-pack.ts';
import { publishAddressList } from './address-list.service.ts';

/**
 * Address lists that rules fill. Who is on one stands in `address_list_entry`; the list itself is made out of that every few
 * seconds where something has changed (`next_fetch_at`), so that a thousand visitors who are put on it at once are one change for nodes.
 */

/** Puts visitors on lists that their site, or a level, uses. Answers how many were not on them. */
export async function addEntries(
  tx: Transaction,
  served: ReadonlyMap<number, { clientId: number }>,
  acts: readonly RuleAct[],
): Promise<number> {
  const wanted = acts.filter(({ action, list_id: id }) => action === 'list' && id !== undefined);
  if (wanted.length === 0) return 0;
  let added = 0;
  for (const list of await listsOf(tx, wanted)) {
    const users = await usersOf(tx, list.id);
    const mine = wanted.filter(
      ({ list_id: id, site_id: siteId }) =>
        id === list.id &&
        (list.clientId === null || list.clientId === served.get(siteId)!.clientId) &&
        (users.levels || users.sites.has(siteId)),
    );
    if (mine.length > 0) added += await addTo(tx, list.id, mine);
  }
  return added;
}

/** Locked in one order, so that two nodes that tell at once do not wait for each other. */
const listsOf = (tx: Transaction, acts: readonly RuleAct[]) =>
  tx
    .select({ id: addressList.id, clientId: addressList.clientId })
    .from(addressList)
    .where(
      and(
        inArray(addressList.id, [...new Set(acts.flatMap(({ list_id: id }) => id ?? []))]),
        eq(addressList.source, 'rules'),
      ),
    )
    .orderBy(asc(addressList.id))
    .for('update');

async function usersOf(tx: Transaction, listId: number) {
  const rows = await tx
    .select({ kind: edgeUse.userKind, id: edgeUse.userId })
    .from(edgeUse)
    .where(and(eq(edgeUse.depKind, 'address_list'), eq(edgeUse.depKey, String(listId))));
  return {
    levels: rows.some(({ kind }) => kind === 'level'),
    sites: new Set(rows.flatMap(({ kind, id }) => (kind === 'site' ? id : []))),
  };
}

/** Who is on it stays longer; of others as many as there is room for. */
async function addTo(tx: Transaction, listId: number, acts: readonly RuleAct[]): Promise<number> {
  const last = new Map(acts.map((act) => [spelled(act.address), act]));
  const entries = [...last].map(([address, act]) => ({
    address,
    decision: `matcher_rule ${act.rule}`,
    request_id: act.request_id,
    // A node whose clock is ahead keeps nobody longer.
    expires_at: new Date((Math.min(act.at, Date.now() / 1000) + act.seconds) * 1000).toISOString(),
  }));
  const room = await roomIn(tx, listId);
  const [row] = await rowsOf<{ added: number; changed: number }>(
    tx,
    sql`WITH told AS (
          SELECT t.*, e.address IS NOT NULL AS is_there FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
            AS t (address text, decision text, request_id text, expires_at timestamptz)
          LEFT JOIN address_list_entry e ON e.list_id = ${listId} AND e.address = t.address
          WHERE t.expires_at > now()),
        fresh AS (SELECT address FROM told WHERE NOT is_there ORDER BY address LIMIT ${room}),
        written AS (
          INSERT INTO address_list_entry AS e (list_id, address, decision, request_id, expires_at)
          SELECT ${listId}, address, decision, request_id, expires_at FROM told
          WHERE is_there OR address IN (SELECT address FROM fresh)
          ON CONFLICT (list_id, address) DO UPDATE SET expires_at = excluded.expires_at
          WHERE e.expires_at < excluded.expires_at RETURNING 1)
        SELECT (SELECT count(*)::int FROM fresh) AS added, (SELECT count(*)::int FROM written) AS changed`,
  );
  if (row!.changed > 0) await markChanged(tx, listId);
  return row!.added;
}

/** As nodes write it: an IPv4 address, or the /64 of IPv6. */
function spelled(address: string): string {
  const plain = address.split('/')[0]!;
  return banNameOf(plain) ?? plain;
}

async function roomIn(tx: Transaction, listId: number): Promise<number> {
  const held = await tx.$count(addressListEntry, eq(addressListEntry.listId, listId));
  const most = await entriesLimit(tx, listId);
  const allowed =
    most === null ? ruleEntriesMax : Math.min(ruleEntriesMax, most - (await otherEntries(tx, listId)));
  return Math.max(0, allowed - held);
}

async function markChanged(tx: Transaction, listId: number): Promise<void> {
  await tx
    .update(addressList)
    .set({ nextFetchAt: sql`now()` })
    .where(eq(addressList.id, listId));
}

const runSeconds = 60;

/** The job: lists on which something has changed, or somebody's time is over. */
export async function makeDueLists({ db, log }: Services): Promise<number> {
  const due = await db
    .select({ id: addressList.id })
    .from(addressList)
    .where(and(eq(addressList.source, 'rules'), lte(addressList.nextFetchAt, sql`now()`)))
    .orderBy(asc(addressList.id));
  const nameOf = ({ id }: { id: number }) => id;
  const work = { log, about: 'list that rules fill', nameOf, seconds: runSeconds, atOnce: 2 };
  return eachItem(due, work, ({ id }) => makeList(db, id));
}

function makeList(db: Db, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    const isIt = and(eq(addressList.id, id), eq(addressList.source, 'rules'));
    const [list] = await tx.select({ id: addressList.id }).from(addressList).where(isIt).for('update');
    if (!list) return;
    await tx
      .delete(addressListEntry)
      .where(and(eq(addressListEntry.listId, id), lte(addressListEntry.expiresAt, sql`now()`)));
    const rows = await tx
      .select()
      .from(addressListEntry)
      .where(eq(addressListEntry.listId, id))
      .orderBy(asc(addressListEntry.createdAt), asc(addressListEntry.address));
    const lines = rows.map(
      ({ address, expiresAt, decision, requestId }) =>
        `${address} # ${expiresAt.toISOString().slice(0, 19)}Z ${decision} ${requestId}`,
    );
    const packed = await packList(lines.join('\n'));
    // What is in the table was checked when it came.
    if ('problem' in packed) throw new Error(`address list ${id}: ${packed.problem}`);
    const ends = rows.map(({ expiresAt }) => expiresAt.getTime());
    await tx
      .update(addressList)
      .set({
        ...packed,
        fetchedAt: sql`now()`,
        nextFetchAt: ends.length === 0 ? null : new Date(Math.min(...ends)),
      })
      .where(isIt);
    await publishAddressList(tx, id);
  });
}

/**
 * Takes addresses off a list; none named: all, unless there are more than were counted by then. Answers how many were on it.
 */
export function removeEntries(
  db: Db,
  scope: Scope,
  actor: Actor,
  id: number,
  {
    addresses,
    expected_total: expected,
  }: { addresses: readonly string[]; expected_total?: number | undefined },
): Promise<number> {
  return db.transaction(async (tx) => {
    const [list] = await tx
      .select({ name: addressList.name, clientId: addressList.clientId })
      .from(addressList)
      .where(and(eq(addressList.id, id), eq(addressList.source, 'rules'), owned(addressList, scope)))
      .for('update');
    if (!list) throw notFound();
    const { name, clientId } = list;
    const named = addresses.map(spelled);
    const gone = await tx
      .delete(addressListEntry)
      .where(
        and(
          eq(addressListEntry.listId, id),
          named.length === 0 ? undefined : inArray(addressListEntry.address, named),
        ),
      )
      .returning({ expiresAt: addressListEntry.expiresAt });
    if (gone.length === 0) return 0;
    // What has ended by itself is shown to nobody any more.
    const standing = gone.filter(({ expiresAt }) => expiresAt > new Date()).length;
    if (expected !== undefined && standing > expected)
      throw new ApiError('selection_changed', [
        { path: 'expected_total', issue: `total_differs:${expected}:${standing}` },
      ]);
    await markChanged(tx, id);
    await recordEvent(tx, {
      kind: 'updated',
      subject: { kind: 'address_list', id, name },
      clientId,
      actor,
      data: { facts: { removed: gone.length } },
    });
    return gone.length;
  });
}
