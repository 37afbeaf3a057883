import { parseDigits } from './text.ts';

/** Addresses and networks (RFC 4632, RFC 4291), as lists of bytes: 4 for IPv4, 16 for IPv6. */

export interface Network {
  bytes: number[];
  /** How many leading bits count. */
  bits: number;
}

/** The networks of a list of `192.0.2.0/24`, `2001:db8::/32` or single addresses; what cannot be read is left out. */
export function prepareNetworks(texts: string[]): Network[] {
  const networks: Network[] = [];
  for (const text of texts) {
    const slash = text.indexOf('/');
    const bytes = parseAddress(slash < 0 ? text : text.substring(0, slash));
    if (bytes === undefined) continue;
    const bits = slash < 0 ? bytes.length * 8 : parseDigits(text.substring(slash + 1));
    if (bits !== undefined && bits <= bytes.length * 8) networks.push({ bytes, bits });
  }
  return networks;
}

export function isInNetworks(networks: Network[], address: string): boolean {
  const bytes = parseAddress(address);
  if (bytes === undefined) return false;
  for (const network of networks) if (contains(network, bytes)) return true;
  return false;
}

function contains({ bytes: wanted, bits }: Network, bytes: number[]): boolean {
  if (wanted.length !== bytes.length) return false;
  let left = bits;
  for (let index = 0; index < bytes.length && left > 0; index++) {
    const step = left >= 8 ? 1 : 2 ** (8 - left);
    if (Math.floor(bytes[index]! / step) !== Math.floor(wanted[index]! / step)) return false;
    left -= 8;
  }
  return true;
}

function parseAddress(text: string): number[] | undefined {
  return text.indexOf(':') < 0 ? parseIpv4(text) : parseIpv6(text);
}

function parseIpv4(text: string): number[] | undefined {
  const bytes: number[] = [];
  for (const part of text.split('.')) {
    const value = part.length > 3 ? undefined : parseDigits(part);
    if (value === undefined || value > 255) return undefined;
    bytes.push(value);
  }
  return bytes.length === 4 ? bytes : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const gap = text.indexOf('::');
  const head = parseGroups(gap < 0 ? text : text.substring(0, gap));
  const tail = gap < 0 ? [] : parseGroups(text.substring(gap + 2));
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (gap < 0 ? missing !== 0 : missing < 2) return undefined;
  const bytes: number[] = [];
  for (const byte of head) bytes.push(byte);
  for (let index = 0; index < missing; index++) bytes.push(0);
  for (const byte of tail) bytes.push(byte);
  return bytes;
}

/** The bytes of `2001:db8` or `ffff:192.0.2.1`; none for an empty text. */
function parseGroups(text: string): number[] | undefined {
  const bytes: number[] = [];
  if (text === '') return bytes;
  for (const group of text.split(':')) {
    if (group.indexOf('.') >= 0) {
      const ipv4 = parseIpv4(group);
      if (ipv4 === undefined) return undefined;
      for (const byte of ipv4) bytes.push(byte);
      continue;
    }
    const value = parseHex(group);
    if (value === undefined) return undefined;
    bytes.push(Math.floor(value / 256), value % 256);
  }
  return bytes;
}

function parseHex(text: string): number | undefined {
  if (text === '' || text.length > 4) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = '0123456789abcdef'.indexOf(text.substring(index, index + 1).toLowerCase());
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}
