import { originPort, type Peer } from '@breakwater/policy/origin';

/**
 * Passive health of origins, shared by all workers: `fails/<place>` counts failures within the origin's window,
 * `down/<place>` holds until when it is left out. A place carries the site, so that one site's strict settings
 * cannot take an address away from another.
 */
const health = ngx.shared.edge_health;

export function placeOf(siteKey: string, peer: Peer, scheme: 'http' | 'https'): string {
  return `${siteKey} ${peer.ip}:${originPort(peer.origin, scheme)}`;
}

export function isDown(place: string): boolean {
  return health.get('down/' + place) !== undefined;
}

export function recordFailure(place: string, failsMax: number, seconds: number): void {
  if (failsMax === 0) return;
  const fails = health.incr('fails/' + place, 1, 0, seconds);
  if (fails === undefined || fails < failsMax) return;
  health.set('down/' + place, ngx.now() + seconds, seconds);
  health.delete('fails/' + place);
}

/** An origin that answers is up, even one that was left out and only asked for want of another. */
export function recordSuccess(place: string): void {
  if (isDown(place)) health.delete('down/' + place);
}

export interface OriginHealth {
  site_id: number;
  address: string;
  fails: number;
  /** Seconds since 1970; 0: it is in use. */
  down_until: number;
}

export function listUnhealthy(): OriginHealth[] {
  const list: OriginHealth[] = [];
  for (const key of health.get_keys(0)) {
    const [what, site, address] = string.match(key, '^(%l+)/(%S+) (.+)$');
    const value = health.get(key) as number | undefined;
    if (what === undefined || value === undefined) continue;
    const isOut = what === 'down';
    list.push({
      site_id: tonumber(site)!,
      address: address!,
      fails: isOut ? 0 : value,
      down_until: isOut ? value : 0,
    });
  }
  return list;
}
