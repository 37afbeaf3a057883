import { isIpAddress, isIpOrCidr, inputText } from './common.ts';

/** The eight groups of an IPv6 address; IPv4 in its last two where it is written so. */
function groupsOf(text: string): number[] {
  const written = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [left = [], right] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  return left.concat(Array<string>(zeros).fill('0'), right ?? []).map((group) => parseInt(group, 16));
}

const valuesOf = (text: string): number[] =>
  text.includes(':') ? groupsOf(text) : text.split('.').map(Number);

/** `192.0.2.10-192.0.2.20`: both of one family, the first not after the last. */
function isIpRange(text: string): boolean {
  const [first = '', last = '', ...rest] = text.split('-').map((part) => part.trim());
  if (rest.length > 0 || !isIpAddress(first) || !isIpAddress(last)) return false;
  if (first.includes(':') !== last.includes(':')) return false;
  const [from, to] = [valuesOf(first), valuesOf(last)];
  const differs = from.findIndex((value, index) => value !== to[index]);
  return differs < 0 || from[differs]! < to[differs]!;
}

/** An address, a network by CIDR, or a range of addresses. */
export const isAddressEntry = (text: string): boolean => isIpOrCidr(text) || isIpRange(text);

export const addressEntry = inputText().trim().max(100).refine(isAddressEntry, { error: 'address_entry' });
