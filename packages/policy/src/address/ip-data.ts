import type { Address } from './ip.ts';

/** Where an address is said to be; fields nobody knows are empty. */
export interface Place {
  /** ISO 3166-1, two letters. */
  country: string;
  /** Of China: ISO 3166-2 without its `CN-`. */
  province: string;
  /** Of China: one of `carriers` in the contract. */
  carrier: string;
}

/**
 * A table of places: the first address of each stretch in order, all bytes of an IPv4 address and the first eight of an IPv6 one,
 * and for each the number of its place in two bytes.
 */
export interface IpTable {
  v4: string;
  v4Places: string;
  v6: string;
  v6Places: string;
  places: Place[];
}

/** `CN GD telecom`, with `-` where a part is not known. */
export function readPlaces(texts: string[]): Place[] {
  const places: Place[] = [];
  for (const text of texts) {
    const parts = text.split(' ');
    places.push({ country: known(parts[0]), province: known(parts[1]), carrier: known(parts[2]) });
  }
  return places;
}

function known(part: string | undefined): string {
  return part === undefined || part === '-' ? '' : part;
}

/** Numbers of networks: stretches as those of places, and four bytes for each. */
export interface AsnTable {
  v4: string;
  v4Numbers: string;
  v6: string;
  v6Numbers: string;
}

/** The number of the network (ASN) that an address belongs to; nothing where nobody knows. */
export function asnIn(table: AsnTable, address: Address): number | undefined {
  const isV4 = address.length === 4;
  const numbers = isV4 ? table.v4Numbers : table.v6Numbers;
  const index = stretchOf(isV4 ? table.v4 : table.v6, isV4 ? 4 : 8, address);
  if (index < 0) return undefined;
  let number = 0;
  for (let at = index * 4; at < index * 4 + 4; at++) number = number * 256 + numbers.charCodeAt(at);
  return number === 0 ? undefined : number;
}

export function placeIn(table: IpTable, address: Address): Place | undefined {
  const isV4 = address.length === 4;
  const places = isV4 ? table.v4Places : table.v6Places;
  const index = stretchOf(isV4 ? table.v4 : table.v6, isV4 ? 4 : 8, address);
  if (index < 0) return undefined;
  return table.places[places.charCodeAt(index * 2) * 256 + places.charCodeAt(index * 2 + 1)];
}

/** Which stretch an address lies in; -1: before the first. */
function stretchOf(starts: string, width: number, address: Address): number {
  let low = 0;
  let high = starts.length / width;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAfter(starts, middle * width, width, address)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** Whether a stretch starts after the address. */
function isAfter(starts: string, from: number, width: number, address: Address): boolean {
  for (let index = 0; index < width; index++) {
    const difference = starts.charCodeAt(from + index) - address[index]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}
