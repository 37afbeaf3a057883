import type { Maintenance } from '@breakwater/contract/site-config/advanced-config';
import { parseIsoTime } from '@breakwater/policy/http-date';
import { isTextIn, parseNetworks, type Network } from '@breakwater/policy/ip';

/** A site that is closed to all but some, made ready from its document. */
export interface Closing {
  /** Seconds since 1970; absent: until it is switched off. */
  until: number | undefined;
  retrySeconds: number;
  body: string;
  allowed: Network[];
}

/** Nothing where the site is open. */
export function closingOf(maintenance: Maintenance | undefined): Closing | undefined {
  if (maintenance === undefined || !maintenance.enabled) return undefined;
  return {
    until: maintenance.until === undefined ? undefined : parseIsoTime(maintenance.until),
    retrySeconds: maintenance.retry_after_seconds,
    body: maintenance.body,
    allowed: parseNetworks(maintenance.allowed_ips),
  };
}

/** Whether a visitor finds the site closed now. */
export function isClosedTo(closing: Closing, address: string): boolean {
  if (closing.until !== undefined && ngx.now() >= closing.until) return false;
  return !isTextIn(address, closing.allowed);
}

/** For `Retry-After`: until the end that was set, else as the site says. */
export function secondsToOpening(closing: Closing): number {
  return closing.until === undefined
    ? closing.retrySeconds
    : math.max(1, math.ceil(closing.until - ngx.now()));
}
