import * as z from 'zod';
import { isIpAddress, isIpOrCidr } from './common.ts';

/** The 16 bytes of an IPv6 address as eight groups; IPv4 in its last two where it is written so. */
function groupsOf(text: string): number[] {
  const written = text.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [left = '', right] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill('0'), ...(right ?? [])].map((group) => parseInt(group, 16));
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

export const addressEntry = z.string().trim().max(100).refine(isAddressEntry, { error: 'address_entry' });
