import { givePlaceBack, places, takeAnyPlace, takePlace } from '../lib/places.ts';

/**
 * How much of a worker the sites may hold whose origins are slow. A request on its way to an origin takes four connections (the
 * visitor's, two between the cache and the fetch server, and the origin's), and one that waits takes one.
 */
let atOrigins = places(0);
let waiting = places(0);

/** A worker's connections: a hundred visitors of a site that hangs leave all others theirs. */
export function setRoom(connections: number): void {
  atOrigins = places(math.floor(connections / 4));
  waiting = places(math.floor(connections / 4));
}

const sayingSeconds = 10;
const saidAt: Record<string, number> = {};

/** At the origins of a site, until `leaveOrigin`. `isHeld`: the visitor has a part of the answer already. */
export function enterOrigin(siteKey: string, isHeld: boolean): boolean {
  if (isHeld) takeAnyPlace(atOrigins, siteKey);
  else if (!takePlace(atOrigins, siteKey)) {
    const now = ngx.now();
    if (now - (saidAt[siteKey] ?? 0) >= sayingSeconds) {
      saidAt[siteKey] = now;
      ngx.log(
        ngx.WARN,
        'site ',
        siteKey,
        ': its origins have as many requests under way as this worker has room for, ',
        atOrigins.byHolder[siteKey] ?? 0,
        ' of ',
        atOrigins.max,
      );
    }
    return false;
  }
  ngx.var.origin_place = siteKey;
  return true;
}

export function leaveOrigin(): void {
  const siteKey = ngx.var.origin_place;
  if (siteKey !== undefined && siteKey !== '') givePlaceBack(atOrigins, siteKey);
}

/** Runs what waits, unless there are as many already that wait for this site. False: it was not run. */
export function waitInRoom(siteKey: string, wait: () => void): boolean {
  if (!takePlace(waiting, siteKey)) return false;
  wait();
  givePlaceBack(waiting, siteKey);
  return true;
}
