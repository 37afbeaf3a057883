import { lastIndexOf } from '../lib/text.ts';

/**
 * Internet addresses and networks. An address is its 4 or 16 bytes; an IPv4 address written as IPv6 (`::ffff:1.2.3.4`)
 * is the IPv4 address, so that one address never counts as two.
 */
export type Address = number[];

export interface Network {
  address: Address;
  bits: number;
}

const addressTextMax = 45;
const hexDigits = '0123456789abcdef';
const colon = 58;
const dot = 46;

/** IPv4 as four decimal numbers without leading zeros, or IPv6 by RFC 4291 §2.2 without a zone; nothing else. */
export function parseAddress(text: string): Address | undefined {
  if (text.length < 2 || text.length > addressTextMax) return undefined;
  return text.indexOf(':') < 0 ? parseIpv4(text) : unmapped(parseIpv6(text));
}

function parseIpv4(text: string): Address | undefined {
  const bytes: number[] = [];
  let value = -1;
  let digits = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? dot : text.charCodeAt(index);
    if (code === dot) {
      if (digits === 0) return undefined;
      bytes.push(value);
      value = -1;
      digits = 0;
      continue;
    }
    // Some read a number with a leading zero as octal.
    if (code < 48 || code > 57 || value === 0) return undefined;
    value = (value < 0 ? 0 : value * 10) + (code - 48);
    digits += 1;
    if (value > 255) return undefined;
  }
  return bytes.length === 4 ? bytes : undefined;
}

function parseIpv6(text: string): Address | undefined {
  const gap = text.indexOf('::');
  if (gap < 0) {
    const whole = parseGroups(text);
    return whole !== undefined && whole.length === 16 ? whole : undefined;
  }
  const left = parseGroups(text.substring(0, gap));
  const right = parseGroups(text.substring(gap + 2));
  // Two colons stand for one group of zeros at least.
  if (left === undefined || right === undefined || left.length + right.length > 14) return undefined;
  const bytes: number[] = [];
  for (const byte of left) bytes.push(byte);
  for (let index = left.length + right.length; index < 16; index++) bytes.push(0);
  for (const byte of right) bytes.push(byte);
  return bytes;
}

/** Groups of four hexadecimal digits between colons; an IPv4 address may be the last. */
function parseGroups(text: string): number[] | undefined {
  const bytes: number[] = [];
  if (text.length === 0) return bytes;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    if (index < text.length && text.charCodeAt(index) !== colon) continue;
    const group = text.substring(start, index);
    const isLast = index === text.length;
    const parsed = isLast && group.indexOf('.') >= 0 ? parseIpv4(group) : parseGroup(group);
    if (parsed === undefined || bytes.length + parsed.length > 16) return undefined;
    for (const byte of parsed) bytes.push(byte);
    start = index + 1;
  }
  return bytes;
}

function parseGroup(group: string): number[] | undefined {
  if (group.length === 0 || group.length > 4) return undefined;
  let value = 0;
  for (let index = 0; index < group.length; index++) {
    const digit = hexValue(group.charCodeAt(index));
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return [Math.floor(value / 256), value % 256];
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

function isMapped(bytes: number[]): boolean {
  for (let index = 0; index < 10; index++) if (bytes[index] !== 0) return false;
  return bytes[10] === 255 && bytes[11] === 255;
}

function unmapped(bytes: number[] | undefined): Address | undefined {
  if (bytes === undefined || !isMapped(bytes)) return bytes;
  return [bytes[12]!, bytes[13]!, bytes[14]!, bytes[15]!];
}

/** One spelling for each address: RFC 5952 for IPv6. */
export function formatAddress(address: Address): string {
  if (address.length === 4) return `${address[0]!}.${address[1]!}.${address[2]!}.${address[3]!}`;
  const { start, length } = longestZeros(address);
  let text = '';
  for (let group = 0; group < 8; group++) {
    if (length > 1 && group >= start && group < start + length) {
      if (group === start) text += '::';
      continue;
    }
    if (group > 0 && !text.endsWith('::')) text += ':';
    text += formatGroup(address[2 * group]! * 256 + address[2 * group + 1]!);
  }
  return text;
}

/** The longest run of groups that are zero, the first of equals. */
function longestZeros(address: Address): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (let group = 0; group < 8; group++) {
    length = address[2 * group] === 0 && address[2 * group + 1] === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: group - length + 1, length };
  }
  return best;
}

function formatGroup(value: number): string {
  let text = '';
  let left = value;
  while (left > 0) {
    const digit = left % 16;
    text = hexDigits.substring(digit, digit + 1) + text;
    left = Math.floor(left / 16);
  }
  return text.length === 0 ? '0' : text;
}

/** An address, or a network by CIDR; bits beyond its length do not matter. */
export function parseNetwork(text: string): Network | undefined {
  const slash = lastIndexOf(text, '/');
  const address = slash < 0 ? text : text.substring(0, slash);
  const bytes = parseAddress(address);
  if (bytes === undefined) return undefined;
  // What was written as IPv6 counts its bits as such, also where it means IPv4.
  const written = address.indexOf(':') < 0 ? 32 : 128;
  const bits = slash < 0 ? written : parseBits(text.substring(slash + 1), written);
  if (bits === undefined) return undefined;
  if (bytes.length * 8 === written) return { address: bytes, bits };
  return bits < 96 ? undefined : { address: bytes, bits: bits - 96 };
}

function parseBits(text: string, max: number): number | undefined {
  if (text.length === 0 || text.length > 3) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return undefined;
    value = value * 10 + (code - 48);
  }
  return value <= max ? value : undefined;
}

/** What of the list is an address or a network. */
export function parseNetworks(texts: string[]): Network[] {
  const networks: Network[] = [];
  for (const text of texts) {
    const network = parseNetwork(text);
    if (network !== undefined) networks.push(network);
  }
  return networks;
}

export function isInNetwork(address: Address, network: Network): boolean {
  if (address.length !== network.address.length) return false;
  let bits = network.bits;
  for (let index = 0; bits > 0; index++) {
    const one = address[index]!;
    const other = network.address[index]!;
    if (bits >= 8) {
      if (one !== other) return false;
    } else {
      let unit = 1;
      for (let shift = bits; shift < 8; shift++) unit *= 2;
      if (Math.floor(one / unit) !== Math.floor(other / unit)) return false;
    }
    bits -= 8;
  }
  return true;
}

export function isInNetworks(address: Address, networks: Network[]): boolean {
  for (const network of networks) if (isInNetwork(address, network)) return true;
  return false;
}

/** The same of an address as text; what is none lies in no network. */
export function isTextIn(text: string, networks: Network[]): boolean {
  const address = parseAddress(text);
  return address !== undefined && isInNetworks(address, networks);
}

/** What counts as one visitor: an IPv4 address, or the /64 of an IPv6 address, which is what one subscriber is given. */
export function visitorKey(address: Address): string {
  if (address.length === 4) return formatAddress(address);
  const network: number[] = [];
  for (let index = 0; index < 16; index++) network.push(index < 8 ? address[index]! : 0);
  return `${formatAddress(network)}/64`;
}
