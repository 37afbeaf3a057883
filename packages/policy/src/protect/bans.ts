import { formatAddress, parseAddress, type Address } from '../address/ip.ts';

/**
 * Who is turned away for a time. Bans are kept by address or network, as a text for each: `scope target id until segment`, one
 * after another. A request looks up the few names that its address may be kept under.
 */

export type BanScope = 'site' | 'client' | 'platform';

export interface BanEntry {
  scope: BanScope;
  /** The site or the customer; 0 of the platform. */
  target: number;
  /** 0: made here, and not yet known to the control plane. */
  id: number;
  /** Seconds since 1970. */
  until: number;
  /** The document that tells of it; 0: none yet. */
  segment: number;
}

/** Lengths of networks that are looked up, the longest first; `banLengths` of the contract. */
export const v4Lengths = [32, 24, 16];
export const v6Lengths = [128, 64, 56, 48, 32];

/** The names that bans of an address are kept under, in the order of the lengths; none of what is no address. */
export function banNames(text: string): string[] {
  const names: string[] = [];
  const address = parseAddress(text);
  if (address === undefined) return names;
  const all = address.length * 8;
  for (const bits of address.length === 4 ? v4Lengths : v6Lengths) {
    const name = formatAddress(firstOf(address, bits));
    names.push(bits === all ? name : `${name}/${bits}`);
  }
  return names;
}

/** What a rule bans of a visitor: an IPv4 address, or the /64 of IPv6 that one subscriber is given. */
export function banNameOf(text: string): string | undefined {
  const names = banNames(text);
  return names.length === v6Lengths.length ? names[1] : names[0];
}

function firstOf(address: Address, bits: number): Address {
  const first: Address = [];
  for (let index = 0; index < address.length; index++) {
    const kept = bits - 8 * index;
    let unit = 1;
    for (let shift = kept < 0 ? 0 : kept; shift < 8; shift++) unit *= 2;
    first.push(address[index]! - (address[index]! % unit));
  }
  return first;
}

function readBans(text: string): BanEntry[] {
  const entries: BanEntry[] = [];
  for (const part of text.split(';')) {
    const words = part.split(' ');
    if (words.length === 5)
      entries.push({
        scope: words[0] as BanScope,
        target: Number(words[1]),
        id: Number(words[2]),
        until: Number(words[3]),
        segment: Number(words[4]),
      });
  }
  return entries;
}

function written(entries: BanEntry[]): string {
  const parts: string[] = [];
  for (const { scope, target, id, until, segment } of entries)
    parts.push(`${scope} ${target} ${id} ${until} ${segment}`);
  return parts.join(';');
}

const isAt = (entry: BanEntry, scope: BanScope, target: number): boolean =>
  entry.scope === scope && entry.target === target;

/** With one more, in place of what there was at the same place; without those that have ended. */
export function withBan(text: string, added: BanEntry, now: number): string {
  const kept: BanEntry[] = [];
  for (const entry of readBans(text))
    if (entry.until > now && !isAt(entry, added.scope, added.target)) kept.push(entry);
  if (added.until > now) kept.push(added);
  return written(kept);
}

/** Without one that a document no longer names. Where another document has taken it over, it stays. */
export function withoutBan(text: string, id: number, segment: number, now: number): string {
  const kept: BanEntry[] = [];
  for (const entry of readBans(text))
    if (entry.until > now && !(entry.id === id && entry.segment === segment)) kept.push(entry);
  return written(kept);
}

/** When the last of them ends; 0 where there is none. */
export function lastEnd(text: string): number {
  let last = 0;
  for (const { until } of readBans(text)) if (until > last) last = until;
  return last;
}

/** The one at a place that stands. */
export function banAt(text: string, scope: BanScope, target: number, now: number): BanEntry | undefined {
  for (const entry of readBans(text)) if (entry.until > now && isAt(entry, scope, target)) return entry;
  return undefined;
}

/** Of those that stand against a request to a site, the one that ends last. */
export function banAgainst(
  text: string,
  siteId: number,
  clientId: number,
  now: number,
): BanEntry | undefined {
  let found: BanEntry | undefined;
  for (const entry of readBans(text)) {
    const target = entry.scope === 'site' ? siteId : entry.scope === 'client' ? clientId : 0;
    if (entry.target !== target || entry.until <= now) continue;
    if (found === undefined || entry.until > found.until) found = entry;
  }
  return found;
}
