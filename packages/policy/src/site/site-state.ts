import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { Maintenance } from '@breakwater/contract/site-config/advanced-config';
import { parseIsoTime } from '../http/date.ts';
import { isTextIn, parseNetworks, type Network } from '../address/ip.ts';

/** Whether a site is there for its visitors. */

/** The page that stands in for a site: by its status, or because the domain that was asked for is not proven yet, or not filed. */
export function statusPage(
  { status, status_reason, waiting_domains: waiting, unfiled_domains: unfiled }: EffectiveSite,
  domain: string | undefined,
): string | undefined {
  if (status === 'suspended') {
    const reason = status_reason ?? 'operator';
    return reason === 'operator' ? status : `${status}_${reason}`;
  }
  if (status !== 'online') return status;
  if (isAmong(waiting, domain)) return 'checking';
  return isAmong(unfiled, domain) ? 'unfiled' : undefined;
}

function isAmong(names: readonly string[] | undefined, domain: string | undefined): boolean {
  if (names === undefined) return false;
  for (const name of names) if (name === domain) return true;
  return false;
}

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

/** Whether a visitor finds the site closed at a time, in seconds since 1970. */
export function isClosedTo(closing: Closing, address: string, now: number): boolean {
  if (closing.until !== undefined && now >= closing.until) return false;
  return !isTextIn(address, closing.allowed);
}
