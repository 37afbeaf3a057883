/**
 * Health of origins, shared by all workers. What visitors' requests show: `fails/<place>` counts failures within the
 * origin's window, `down/<place>` holds until when it is left out. What the agent's checks show: `out/<checked place>`,
 * which ends by itself when the agent no longer says so. Either suffices to leave an origin out. A place carries the
 * site, so that one site's strict settings cannot take an address away from another.
 */
const health = ngx.shared.edge_health;

export function placeOf(siteKey: string, ip: string, port: number): string {
  return `${siteKey} ${ip}:${port}`;
}

export function isDown(place: string, checked: string | undefined): boolean {
  if (health.get('down/' + place) !== undefined) return true;
  return checked !== undefined && health.get('out/' + checked) !== undefined;
}

/** What the agent's checks say: `out` holds for how many seconds, `in` ends it. `whole`: nothing else is out. */
export interface Verdicts {
  whole: boolean;
  out: Record<string, number>;
  in: string[];
}

export function putVerdicts(verdicts: Verdicts): void {
  if (verdicts.whole) for (const key of health.get_keys(0)) if (key.startsWith('out/')) health.delete(key);
  for (const place in verdicts.out) {
    const seconds = verdicts.out[place]!;
    health.set('out/' + place, ngx.now() + seconds, seconds);
  }
  for (const place of verdicts.in) health.delete('out/' + place);
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
  if (isDown(place, undefined)) health.delete('down/' + place);
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
    if (what === undefined || value === undefined || what === 'out') continue;
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
