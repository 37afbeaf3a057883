import { parseAddress, parseNetwork, type Address } from './ip.ts';

/**
 * Many addresses in little memory: their ranges in order, none meeting another, each as its first and its last address
 * in bytes. An IPv4 range takes 8 bytes and an IPv6 one 32, in one text that is searched as it lies.
 */
export interface AddressSet {
  v4: string;
  v6: string;
}

interface Ranges {
  firsts: string[];
  lasts: string[];
}

/** Entries that are no address, network or range are left out; bits beyond a network's length do not matter. */
export function packAddresses(entries: string[]): AddressSet {
  const v4: Ranges = { firsts: [], lasts: [] };
  const v6: Ranges = { firsts: [], lasts: [] };
  for (const entry of entries) addEntry(entry, v4, v6);
  return { v4: packRanges(v4), v6: packRanges(v6) };
}

function addEntry(entry: string, v4: Ranges, v6: Ranges): void {
  const dash = entry.indexOf('-');
  if (dash >= 0) {
    const first = parseAddress(withoutSpaces(entry.substring(0, dash)));
    const last = parseAddress(withoutSpaces(entry.substring(dash + 1)));
    if (first === undefined || last === undefined || first.length !== last.length) return;
    add(first.length === 4 ? v4 : v6, bytesOf(first), bytesOf(last));
    return;
  }
  const network = parseNetwork(entry);
  if (network === undefined) return;
  const { address, bits } = network;
  add(address.length === 4 ? v4 : v6, boundOf(address, bits, 0), boundOf(address, bits, 255));
}

function add(ranges: Ranges, first: string, last: string): void {
  if (first > last) return;
  ranges.firsts.push(first);
  ranges.lasts.push(last);
}

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 32) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 32) end -= 1;
  return text.substring(start, end);
}

function bytesOf(address: Address): string {
  const parts: string[] = [];
  for (const byte of address) parts.push(String.fromCharCode(byte));
  return parts.join('');
}

/** The first (`fill` 0) or last (`fill` 255) address of a network. */
function boundOf(address: Address, bits: number, fill: number): string {
  const parts: string[] = [];
  for (let index = 0; index < address.length; index++) {
    const byte = address[index]!;
    const kept = bits - 8 * index;
    let unit = 1;
    for (let shift = kept < 0 ? 0 : kept; shift < 8; shift++) unit *= 2;
    const base = byte - (byte % unit);
    parts.push(String.fromCharCode(fill === 0 ? base : base + unit - 1));
  }
  return parts.join('');
}

/** Sorted by their first addresses, those that overlap as one. */
function packRanges(ranges: Ranges): string {
  const { firsts, lasts } = sorted(ranges);
  const parts: string[] = [];
  let first = '';
  let last = '';
  for (let index = 0; index < firsts.length; index++) {
    if (index > 0 && firsts[index]! <= last) {
      if (lasts[index]! > last) last = lasts[index]!;
      continue;
    }
    if (index > 0) parts.push(first, last);
    first = firsts[index]!;
    last = lasts[index]!;
  }
  if (firsts.length > 0) parts.push(first, last);
  return parts.join('');
}

/** Merge sort, written out: what sorts by a function differs in both languages. */
function sorted(ranges: Ranges): Ranges {
  let from = ranges;
  const count = ranges.firsts.length;
  for (let width = 1; width < count; width *= 2) {
    const to: Ranges = { firsts: [], lasts: [] };
    for (let start = 0; start < count; start += 2 * width) merge(from, to, start, width, count);
    from = to;
  }
  return from;
}

function merge(from: Ranges, to: Ranges, start: number, width: number, count: number): void {
  const middle = start + width < count ? start + width : count;
  const end = start + 2 * width < count ? start + 2 * width : count;
  let left = start;
  let right = middle;
  while (left < middle || right < end) {
    const isLeft = right >= end || (left < middle && from.firsts[left]! <= from.firsts[right]!);
    const taken = isLeft ? left : right;
    to.firsts.push(from.firsts[taken]!);
    to.lasts.push(from.lasts[taken]!);
    if (isLeft) left += 1;
    else right += 1;
  }
}

/** By halving: 17 steps among 100,000 ranges. */
export function isInSet(address: Address, set: AddressSet): boolean {
  const packed = address.length === 4 ? set.v4 : set.v6;
  const width = address.length;
  let low = 0;
  let high = packed.length / (2 * width);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (compareAt(packed, middle * 2 * width, address) > 0) high = middle;
    else low = middle + 1;
  }
  return low > 0 && compareAt(packed, (low - 1) * 2 * width + width, address) >= 0;
}

/** Below 0 where the packed address lies before the given one. */
function compareAt(packed: string, start: number, address: Address): number {
  for (let index = 0; index < address.length; index++) {
    const difference = packed.charCodeAt(start + index) - address[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

export function countOfSet({ v4, v6 }: AddressSet): number {
  return v4.length / 8 + v6.length / 32;
}
