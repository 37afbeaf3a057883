import type { MadeBan, RejectScope, siteRejectRoutes, WafSetting } from '@breakwater/contract';
import { formatAddress, isInNetwork, parseAddress, parseNetwork } from '@breakwater/policy/address/ip';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import type { BanNow } from '@breakwater/policy/explain/trace';
import { banNames } from '@breakwater/policy/protect/bans';
import { and, asc, count, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { client, nodeLineGroup, site, siteReject } from '../../db/schema.ts';
import { lockCounter } from '../../delivery/revisions.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { joinNotes } from '../../join-notes.ts';
import { clientIdOf } from '../../plugins/session.ts';
import { owned, ownerOfNew, seesAll, type Scope } from '../../scope.ts';
import { readWafSetting } from '../setting/setting.store.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { isNever, publishBanSetting, readNever } from './ban-setting.service.ts';
import { placeBans } from './site-reject-publish.ts';

export { keepBanSetting, followBanSetting } from './ban-setting.service.ts';
export { compactBans, extendBans, listBanDocuments } from './site-reject-publish.ts';

type Input = z.output<typeof siteRejectRoutes.createSiteRejects.body>;

/** Where a ban is for. */
interface Place {
  scope: RejectScope;
  siteId: number | null;
  clientId: number | null;
}
interface NewBan extends Place {
  remoteAddr: string;
  seconds: number;
  /** Of a ban by a rule: how long it has stood at its node. */
  ageSeconds?: number;
  kernel: boolean;
  decision: string;
  reason?: string;
  requestId?: string;
  by?: Author['session'];
  nodeId?: number;
}

/** What all nodes hold at most, in the memory they have for it. */
const standingMax = 150_000;

/** One spelling for each: `2001:db8::/64`, bits beyond the length taken away. */
export function spelledNetwork(text: string): string {
  const network = parseNetwork(text)!;
  const { address, bits } = network;
  const bytes = address.map(
    (byte, index) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * index)))),
  );
  return bits === bytes.length * 8 ? formatAddress(bytes) : `${formatAddress(bytes)}/${bits}`;
}

/** By hand: all of them or none. `ip` is whose request this is. */
export function createRejects(db: Db, author: Author, input: Input, ip: string) {
  return db.transaction(async (tx) => {
    const place = await placeOf(tx, author.scope, input);
    const setting = await readWafSetting(tx);
    const never = await readNever(tx, setting);
    const addresses = input.remote_addrs.map(spelledNetwork);
    for (const [index, text] of addresses.entries()) {
      const network = parseNetwork(text)!;
      const own = parseAddress(ip);
      const path = `remote_addrs.${index}`;
      if (own && isInNetwork(own, network)) throw invalid(path, 'ban_own_address');
      if (isNever(never, network)) throw invalid(path, 'ban_never');
      if (setting.never_private && isPrivateAddress(text.split('/')[0]!)) throw invalid(path, 'ban_private');
    }
    await lockCounter(tx);
    const { session } = author;
    const bans = [...new Set(addresses)].map((remoteAddr): NewBan => {
      const { seconds, kernel, reason } = input;
      return { ...place, remoteAddr, seconds, kernel, reason, decision: '', by: session };
    });
    const most = await roomFor(tx, place, setting);
    if (bans.length > most.room) throw invalid('remote_addrs', `ban_count:${most.max}`);
    const { ids, taskId } = await writeBans(tx, bans, setting, taskOf(place, addresses, session.name));
    return { ids, task_id: taskId };
  });
}

const taskOf = ({ siteId, clientId }: Place, addresses: readonly string[], createdBy: string): NewTask => ({
  type: 'site_reject',
  title: addresses.length === 1 ? addresses[0]! : `${addresses[0]!} (+${addresses.length - 1})`,
  objectKind: 'site_reject',
  objectId: siteId ?? clientId ?? 0,
  ...(clientId === null ? {} : { clientId }),
  createdBy,
});

/** What is asked for, if it is the caller's. The rows stay as they are to the end of the transaction. */
async function placeOf(tx: Transaction, scope: Scope, input: Input): Promise<Place> {
  if (input.scope === 'platform') {
    if (!seesAll(scope)) throw new ApiError('forbidden');
    return { scope: 'platform', siteId: null, clientId: null };
  }
  if (input.scope === 'client') {
    const clientId = ownerOfNew(scope, input.client_id);
    if (clientId === null) throw invalid('client_id', 'required');
    const found = await tx
      .select({ id: client.id })
      .from(client)
      .where(eq(client.id, clientId))
      .for('key share');
    if (found.length === 0) throw invalid('client_id', 'does_not_exist');
    return { scope: 'client', siteId: null, clientId };
  }
  const [found] = await tx
    .select({ clientId: site.clientId })
    .from(site)
    .where(and(eq(site.id, input.site_id!), owned(site, scope)))
    .for('key share');
  if (!found) throw invalid('site_id', 'does_not_exist');
  return { scope: 'site', siteId: input.site_id!, clientId: found.clientId };
}

const stands = (now: Date) => and(isNull(siteReject.releasedAt), gt(siteReject.expiresAt, now));

/** How many more may stand: nodes hold so many, and no customer takes the room of others. */
async function roomFor(tx: Transaction, { clientId }: Place, setting: WafSetting) {
  const countOf = async (max: number, ofClient: boolean) => {
    const where = and(stands(new Date()), ofClient ? eq(siteReject.clientId, clientId!) : undefined);
    const [row] = await tx.select({ standing: count() }).from(siteReject).where(where);
    return { max, room: max - (row?.standing ?? 0) };
  };
  const all = await countOf(standingMax, false);
  if (clientId === null) return all;
  const own = await countOf(setting.client_bans_max, true);
  return own.room < all.room ? own : all;
}

interface Earlier extends Place {
  id: number;
  remoteAddr: string;
  expiresAt: Date;
  createdAt: Date;
  kernel: boolean;
  reason: string;
  segmentId: number | null;
  requestId: string | null;
  isReleased: boolean;
  isStanding: boolean;
}

/**
 * Writes bans and tells nodes. What stands already is not written twice: it is prolonged, by a rule only where that makes a
 * difference, for ten nodes may tell of the same. The counter is locked.
 */
async function writeBans(tx: Transaction, bans: readonly NewBan[], setting: WafSetting, task?: NewTask) {
  const now = new Date();
  const earlier = await earlierOf(tx, bans, setting, now);
  const ids: number[] = [];
  const added: (typeof siteReject.$inferInsert)[] = [];
  const touched = new Set<number>();
  for (const { seconds, ageSeconds = 0, ...ban } of bans) {
    const ofSame = earlier.filter((one) => isSamePlace(one, ban) && one.remoteAddr === ban.remoteAddr);
    // Told again: the agent died before it knew that it had told.
    if (ban.requestId && ofSame.some(({ requestId }) => requestId === ban.requestId)) continue;
    const standing = ofSame.find((one) => one.isStanding);
    const repeats = ofSame.filter((one) => !one.isStanding && !one.isReleased).length;
    const isByRule = ban.by === undefined;
    const lasting = isByRule ? lastingOf(seconds, repeats, setting) : seconds;
    const expiresAt = new Date(now.getTime() + (lasting - ageSeconds) * 1000);
    if (expiresAt <= now) continue;
    if (!standing) {
      const { by, ...values } = ban;
      const author = by && { authorType: by.kind, createdBy: by.name };
      added.push({ ...values, ...author, repeats, expiresAt, createdAt: now });
      continue;
    }
    ids.push(standing.id);
    const longerMilliseconds = expiresAt.getTime() - standing.expiresAt.getTime();
    const isLonger = longerMilliseconds > (isByRule ? lasting * 500 : 0);
    const reason = joinNotes(standing.reason, ban.reason ?? '');
    const isNews = isLonger || (ban.kernel && !standing.kernel);
    if (!isNews && reason === standing.reason) continue;
    await tx
      .update(siteReject)
      .set({ ...(isLonger ? { expiresAt } : {}), kernel: standing.kernel || ban.kernel, reason })
      .where(eq(siteReject.id, standing.id));
    if (!isNews) continue;
    if (standing.segmentId !== null) touched.add(standing.segmentId);
  }
  const rows =
    added.length === 0 ? [] : await tx.insert(siteReject).values(added).returning({ id: siteReject.id });
  const addedIds = rows.map(({ id }) => id);
  if (addedIds.length > 0) await publishBanSetting(tx, setting);
  const taskId = await placeBans(tx, addedIds, touched, task);
  return { ids: [...ids, ...addedIds], taskId };
}

/** Longer each time it comes again. */
function lastingOf(seconds: number, repeats: number, setting: WafSetting): number {
  const most = Math.max(seconds, setting.ban_seconds_max);
  return Math.min(most, Math.round(seconds * setting.repeat_factor ** Math.min(repeats, 30)));
}

const isSamePlace = (one: Place, other: Place): boolean =>
  one.scope === other.scope && one.siteId === other.siteId && one.clientId === other.clientId;

/** Of the same addresses: what stands, what was a ban within the window, and what the same requests had made. */
async function earlierOf(
  tx: Transaction,
  bans: readonly NewBan[],
  setting: WafSetting,
  now: Date,
): Promise<Earlier[]> {
  const since = new Date(now.getTime() - setting.repeat_window_seconds * 1000);
  const rows = await tx
    .select()
    .from(siteReject)
    .where(
      and(
        inArray(siteReject.remoteAddr, [...new Set(bans.map(({ remoteAddr }) => remoteAddr))]),
        or(
          and(isNull(siteReject.releasedAt), gt(siteReject.expiresAt, since)),
          inArray(
            siteReject.requestId,
            bans.flatMap(({ requestId }) => requestId || []),
          ),
        ),
      ),
    )
    .orderBy(asc(siteReject.id));
  return rows.map(({ releasedAt, ...row }) => {
    const isReleased = releasedAt !== null;
    return { ...row, isReleased, isStanding: !isReleased && row.expiresAt > now };
  });
}

/**
 * What rules had turned away at a node. Taken is what is about sites of the node's line groups, and for whom a ban may be.
 * Answers how many were.
 */
export function reportBans(db: Db, nodeId: number, made: readonly MadeBan[]): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = [...new Set(made.map(({ site_id: id }) => id))].toSorted((one, other) => one - other);
    const sites = await tx
      .select({ id: site.id, clientId: site.clientId })
      .from(site)
      .where(
        and(
          inArray(site.id, ids),
          sql`EXISTS (SELECT FROM ${nodeLineGroup} WHERE ${nodeLineGroup.nodeId} = ${nodeId}
            AND ${nodeLineGroup.lineGroupId} = ${site.lineGroupId})`,
        ),
      )
      .orderBy(asc(site.id))
      .for('key share');
    const setting = await readWafSetting(tx);
    const never = await readNever(tx, setting);
    const taken = made.filter(
      (ban) =>
        sites.some(({ id, clientId }) => id === ban.site_id && clientId === ban.client_id) &&
        !isNever(never, parseNetwork(ban.address)!) &&
        !(setting.never_private && isPrivateAddress(ban.address.split('/')[0]!)),
    );
    if (taken.length === 0) return 0;
    await lockCounter(tx);
    const fitting = await thatFit(
      tx,
      taken.map((ban) => madeBan(ban, nodeId)),
      setting,
    );
    await writeBans(tx, fitting, setting);
    return fitting.length;
  });
}

function madeBan(ban: MadeBan, nodeId: number): NewBan {
  const { scope, seconds, decision } = ban;
  return {
    scope,
    siteId: scope === 'site' ? ban.site_id : null,
    clientId: scope === 'platform' ? null : ban.client_id,
    remoteAddr: spelledNetwork(ban.address),
    seconds,
    decision,
    requestId: ban.request_id,
    ageSeconds: ban.age_seconds,
    kernel: ban.kernel && scope === 'platform',
    nodeId,
  };
}

/** Each once, and of each customer as many as there is room for. */
async function thatFit(tx: Transaction, bans: readonly NewBan[], setting: WafSetting): Promise<NewBan[]> {
  const rooms = new Map<number | null, number>();
  const seen = new Set<string>();
  const fitting: NewBan[] = [];
  for (const ban of bans) {
    const name = `${ban.scope} ${ban.siteId} ${ban.clientId} ${ban.remoteAddr}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const room = rooms.get(ban.clientId) ?? (await roomFor(tx, ban, setting)).room;
    rooms.set(ban.clientId, room - 1);
    if (room > 0) fitting.push(ban);
  }
  return fitting;
}

/** The ban against an address at a site, as nodes that were told all have it. */
export async function banAgainst(
  db: Db,
  at: { site_id: number; client_id: number },
  address: string,
): Promise<BanNow | undefined> {
  const names = banNames(address);
  if (names.length === 0) return undefined;
  const rows = await db
    .select()
    .from(siteReject)
    .where(
      and(
        inArray(siteReject.remoteAddr, names),
        stands(new Date()),
        or(
          eq(siteReject.scope, 'platform'),
          and(eq(siteReject.scope, 'client'), eq(siteReject.clientId, at.client_id)),
          and(eq(siteReject.scope, 'site'), eq(siteReject.siteId, at.site_id)),
        ),
      ),
    )
    .orderBy(desc(siteReject.expiresAt))
    .limit(1);
  const [found] = rows;
  if (!found) return undefined;
  const setting = await readWafSetting(db);
  const never = await readNever(db, setting);
  return {
    id: found.id,
    until: Math.ceil(found.expiresAt.getTime() / 1000),
    isNever: isNever(never, parseNetwork(address)!) || (setting.never_private && isPrivateAddress(address)),
  };
}

export const taskOfRelease = (author: Author, title: string): NewTask => {
  const clientId = clientIdOf(author.session);
  return {
    type: 'site_reject',
    title,
    objectKind: 'site_reject',
    objectId: clientId ?? 0,
    ...(clientId === null ? {} : { clientId }),
    createdBy: author.session.name,
  };
};
