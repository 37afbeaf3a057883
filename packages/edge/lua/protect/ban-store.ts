import type { BanDocument } from '@breakwater/contract/edge-document';
import {
  lastEnd,
  v4Lengths,
  v6Lengths,
  withBan,
  withoutBan,
  type BanEntry,
} from '@breakwater/policy/protect/bans';
import * as ffi from 'ffi';

/**
 * Bans in memory that all workers share, by address or network. The memory has a fixed size, and what stands is never pushed
 * out: when it is full, what comes then is not kept, and the node says so.
 */

ffi.cdef('void *mmap(void *address, size_t length, int protection, int flags, int file, long offset);');

/** PROT_READ | PROT_WRITE and MAP_SHARED | MAP_ANONYMOUS, as Linux numbers them. */
const readWrite = 3;
const sharedAnonymous = 33;

const bans = ngx.shared.edge_bans;

/** When the last ban ends: of all, and then of each length of networks, IPv4 first. Behind them, the number of the last change. */
let ends: ffi.Numbers;
export const lengthsBefore = v4Lengths.length;
const changePlace = 1 + v4Lengths.length + v6Lengths.length;
const lock = 'lock';
const lost = 'lost';

/** To be called in the master, whose workers inherit the mapping; after a reload it is found again by its address. */
export function mapBans(): void {
  let address = bans.get('ends_address') as number | undefined;
  if (address === undefined) {
    const mapped = ffi.C.mmap(undefined, 4096, readWrite, sharedAnonymous, -1, 0);
    address = tonumber(ffi.cast('uintptr_t', mapped))!;
    bans.set('ends_address', address);
  }
  ends = ffi.cast('double *', ffi.cast('uintptr_t', address)) as unknown as ffi.Numbers;
}

/** Whether any ban may stand. */
export function hasBans(): boolean {
  return ends[0] !== 0 && ends[0] > ngx.time();
}

/** Whether any ban of a length may stand. */
export const isAnyAt = (place: number, now: number): boolean => ends[(place + 1) as 0] > now;

/** Another number after each change: what was not there before one may be there now. */
export const changeOfBans = (): number => ends[changePlace as 0];

export function banText(name: string): string | undefined {
  return bans.get(name) as string | undefined;
}

/**
 * One worker at a time changes what is kept under a name. One that dies over it holds the others up for this long. The lock lies
 * in other memory: where bans lie, `add` would push one out.
 */
const lockSeconds = 0.05;

function change(name: string, changed: (this: void, text: string, now: number) => string): boolean {
  while (!ngx.shared.edge_bans_made.add(lock, 1, lockSeconds)[0]);
  const now = ngx.time();
  const text = changed((bans.get(name) as string | undefined) ?? '', now);
  const isKept = put(name, text, now);
  noteChange();
  ngx.shared.edge_bans_made.delete(lock);
  return isKept;
}

/** After it, so that who sees the new number sees the change; and never twice the same one, though two workers change at once. */
function noteChange(): void {
  const counted = ngx.shared.edge_bans_made.incr('changes', 1, 0) ?? 0;
  ends[changePlace as 0] = math.max(counted, changeOfBans() + 1);
}

function put(name: string, text: string, now: number): boolean {
  const end = lastEnd(text);
  if (end === 0) {
    bans.delete(name);
    return true;
  }
  let [isKept] = bans.safe_set(name, text, end - now);
  if (!isKept) {
    // What has ended takes room until somebody looks.
    bans.flush_expired();
    isKept = bans.safe_set(name, text, end - now)[0];
  }
  if (!isKept) {
    ngx.shared.edge_bans_made.incr(lost, 1, 0);
    return false;
  }
  const place = placeOf(name);
  if (ends[place as 0] < end) ends[place as 0] = end;
  if (ends[0] < end) ends[0] = end;
  return true;
}

/** Where the end of the bans of its length stands. */
function placeOf(name: string): number {
  const isIpv6 = string.find(name, ':', 1, true)[0] !== undefined;
  const lengths = isIpv6 ? v6Lengths : v4Lengths;
  const [length] = string.match(name, '/(%d+)$');
  const bits = length === undefined ? lengths[0]! : tonumber(length)!;
  let place = 0;
  while (lengths[place] !== undefined && lengths[place] !== bits) place += 1;
  return 1 + place + (isIpv6 ? lengthsBefore : 0);
}

export function putBan(name: string, entry: BanEntry): boolean {
  return change(name, (text, now) => withBan(text, entry, now));
}

type ToldBan = BanDocument['bans'][number];

function entryOf({ id, site_id: siteId, client_id: clientId, until }: ToldBan, segment: number): BanEntry {
  if (siteId !== undefined) return { scope: 'site', target: siteId, id, until, segment };
  if (clientId !== undefined) return { scope: 'client', target: clientId, id, until, segment };
  return { scope: 'platform', target: 0, id, until, segment };
}

/** Brings a document's bans into service in place of those that it named before; nothing, or why not. */
export function replaceBans(
  before: BanDocument | undefined,
  after: BanDocument | undefined,
): string | undefined {
  const stays: Record<number, boolean> = {};
  let isWhole = true;
  for (const told of after?.bans ?? []) {
    stays[told.id] = true;
    const entry = entryOf(told, after!.segment_id);
    isWhole = putBan(told.address, entry) && isWhole;
  }
  for (const { id, address } of before?.bans ?? []) {
    const segment = before!.segment_id;
    if (stays[id] !== true) change(address, (text, now) => withoutBan(text, id, segment, now));
  }
  return isWhole ? undefined : "the node's memory for bans is full";
}

/** For the node's report. */
export function bansState(): { memory_free: number; memory_size: number; lost: number } {
  return {
    memory_free: bans.free_space(),
    memory_size: bans.capacity(),
    lost: (ngx.shared.edge_bans_made.get(lost) as number | undefined) ?? 0,
  };
}
