import { userPermissions } from '@breakwater/contract';
import { and, eq, inArray } from 'drizzle-orm';
import { ApiError, invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { client, member, site } from '../../db/schema.ts';
import { heldOf, type Session } from '../../plugins/session.ts';

type Row = typeof member.$inferSelect;

interface MemberChange {
  before?: Row | undefined;
  after?: Row | undefined;
}

/**
 * What somebody may give to members of a customer, and take from them. Two who change members of one customer take turns: a
 * member's own permissions are read anew, for a change before this one may have taken some. Of a change of oneself it is
 * what one held before it, which is written by now.
 */
async function heldBy(
  tx: Transaction,
  author: Session,
  { before, after }: MemberChange,
): Promise<ReadonlySet<string>> {
  const { clientId } = (after ?? before)!;
  await tx.select({ id: client.id }).from(client).where(eq(client.id, clientId)).for('no key update');
  if (author.kind !== 'member') return author.permissions;
  const [row] =
    before?.id === author.id ? [before] : await tx.select().from(member).where(eq(member.id, author.id));
  if (!row?.enabled) throw new ApiError('session_revoked');
  return heldOf(row.permissions);
}

const holdsAll = (held: ReadonlySet<string>, names: readonly string[]): boolean =>
  userPermissions.every((name) => held.has(name) || !names.includes(name));

/** Nobody grants what they do not hold, and nobody changes a member who holds more: they could sign in as that one. */
export async function checkRights(tx: Transaction, author: Session, change: MemberChange): Promise<void> {
  const { before, after } = change;
  const held = await heldBy(tx, author, change);
  if (before && !holdsAll(held, before.permissions)) throw new ApiError('beyond_permissions');
  if (after && !holdsAll(held, after.permissions)) throw invalid('permissions', 'permission_beyond');
}

/** Sites that a member is newly limited to are their customer's. Those that are gone since stay named. */
export async function checkSites(tx: Transaction, before: Row | undefined, after: Row): Promise<void> {
  const added = [...new Set(after.siteIds)].filter((id) => !before?.siteIds.includes(id));
  const theirs = and(inArray(site.id, added), eq(site.clientId, after.clientId));
  if ((await tx.$count(site, theirs)) < added.length) throw invalid('site_ids', 'does_not_exist');
}
