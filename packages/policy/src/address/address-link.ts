import { parseDigits } from '../lib/text.ts';

/**
 * Links to the page on which a node shows what it sees of whoever opens it. They are good for one site and some minutes,
 * and signed with HMAC-SHA256 by a key that the control plane gives its nodes.
 */

/** Below it a site's own paths are not served. */
export const ownPathPrefix = '/.well-known/breakwater/';
/** The pages themselves are below this one. */
export const ownAddressPrefix = '/.well-known/breakwater/address/';

/** Below this one visitors' browsers send what they were asked for. */
export const ownVerifyPrefix = '/.well-known/breakwater/verify/';

export interface AddressLink {
  /** Until when it is good, in seconds since 1970. */
  expires: number;
  /** In lower-case hex. */
  signature: string;
}

/** What is signed. */
export function addressLinkText(siteId: string, expires: number): string {
  return `address\n${siteId}\n${expires}`;
}

export function addressLinkPath({ expires, signature }: AddressLink): string {
  return `${ownAddressPrefix}${expires}-${signature}`;
}

/** Of a path, without query; nothing where it has another form. */
export function parseAddressLink(path: string): AddressLink | undefined {
  if (!path.startsWith(ownAddressPrefix)) return undefined;
  const rest = path.substring(ownAddressPrefix.length);
  const dash = rest.indexOf('-');
  if (dash < 1 || dash > 12 || rest.length !== dash + 65) return undefined;
  const expires = parseLong(rest.substring(0, dash));
  return expires === undefined ? undefined : { expires, signature: rest.substring(dash + 1) };
}

/** Digits beyond 2^31 too: in two halves, each of which is read exactly. */
function parseLong(text: string): number | undefined {
  if (text.length <= 8) return parseDigits(text);
  const high = parseDigits(text.substring(0, text.length - 8));
  const low = parseDigits(text.substring(text.length - 8));
  return high === undefined || low === undefined ? undefined : high * 100_000_000 + low;
}
