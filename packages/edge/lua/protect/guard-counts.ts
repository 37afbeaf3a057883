import { countInWindow, guardWindowAt } from '@breakwater/policy/protect/guard';

/**
 * The counters of CC guard, which all workers of a node share: each window has two buckets. Their memory is of a fixed size; when it
 * is full, what was counted longest ago goes, so that somebody may start anew, and nobody is refused for it.
 */

const counts = ngx.shared.edge_guard;
const places = ngx.shared.edge_guard_places;

const lost = 'lost';
const warned = 'warned';
const warnSeconds = 60;

/** Counts, and says how many there were within the window. */
export function countIn(name: string, seconds: number, now: number, by = 1): number {
  const { bucket, earlier } = guardWindowAt(now, seconds);
  const [later, , isForced] = counts.incr(`${name} ${bucket}`, by, 0, seconds * 2 + 1);
  if (isForced === true) noteLost();
  return countInWindow(inBucket(name, bucket - 1), later ?? 0, earlier);
}

export function countedIn(name: string, seconds: number, now: number): number {
  const { bucket, earlier } = guardWindowAt(now, seconds);
  return countInWindow(inBucket(name, bucket - 1), inBucket(name, bucket), earlier);
}

/** Of one bucket, whole. */
export const inBucket = (name: string, bucket: number): number =>
  (counts.get(`${name} ${bucket}`) as number | undefined) ?? 0;

export function addToBucket(name: string, bucket: number, by: number, seconds: number): void {
  const [, , isForced] = counts.incr(`${name} ${bucket}`, by, 0, seconds);
  if (isForced === true) noteLost();
}

export function forgetIn(name: string, seconds: number, now: number): void {
  const { bucket } = guardWindowAt(now, seconds);
  counts.delete(`${name} ${bucket}`);
  counts.delete(`${name} ${bucket - 1}`);
}

/** Until when somebody is over a threshold. */
export const heldUntil = (name: string): number | undefined =>
  counts.get(`held ${name}`) as number | undefined;

export function holdFor(name: string, seconds: number, now: number): number {
  counts.set(`held ${name}`, now + seconds, seconds);
  return now + seconds;
}

export function dropHold(name: string): void {
  counts.delete(`held ${name}`);
}

/** Once a second for a name, in one worker. */
export function isTurn(name: string): boolean {
  const [isFirst] = counts.add(`turn ${name}`, 1, 1);
  return isFirst;
}

function noteLost(): void {
  places.incr(lost, 1, 0);
  if (!places.add(warned, 1, warnSeconds)[0]) return;
  ngx.log(ngx.WARN, 'CC guard: the memory for counters is full; those counted longest ago go');
}

export const guardState = (): { memory_free: number; memory_size: number; lost: number } => ({
  memory_free: counts.free_space(),
  memory_size: counts.capacity(),
  lost: (places.get(lost) as number | undefined) ?? 0,
});
