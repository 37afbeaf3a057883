import { lastIndexOf } from '../lib/text.ts';

/** Which site answers to a host name. Pure, and the same in Node, the browser and nginx (see `../README.md`). */

/** Lower case, without port and trailing dot; an IPv6 literal keeps its brackets. */
export function normalizeHost(host: string): string {
  let text = host.toLowerCase();
  const colon = lastIndexOf(text, ':');
  if (colon >= 0 && text.indexOf(']', colon) < 0) text = text.substring(0, colon);
  if (text.endsWith('.')) text = text.substring(0, text.length - 1);
  return text;
}

/**
 * The site of a normalised host: the exact name first, then `*.` names from the most specific to the least.
 * A wildcard stands for one label or more, never for none.
 */
export function findByHost(host: string, find: (domain: string) => string | undefined): string | undefined {
  const exact = find(host);
  if (exact !== undefined) return exact;
  let dot = host.indexOf('.');
  while (dot >= 0) {
    const found = find('*' + host.substring(dot));
    if (found !== undefined) return found;
    dot = host.indexOf('.', dot + 1);
  }
  return undefined;
}

/** Whether a certificate name covers a host: equal, or a wildcard for exactly one label (RFC 6125 §6.4.3). */
export function certificateCovers(name: string, host: string): boolean {
  const pattern = name.toLowerCase();
  if (pattern === host) return true;
  if (!pattern.startsWith('*.')) return false;
  const dot = host.indexOf('.');
  return dot > 0 && host.substring(dot) === pattern.substring(1);
}
