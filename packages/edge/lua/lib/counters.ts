import { reserve, type Rate } from '@breakwater/policy/access/rate';
import { heldOf, holding, keep } from '@breakwater/policy/lib/holding';
import * as ffi from 'ffi';
import { changeCounts, countsEpoch, formerCounts } from '../documents/epoch.ts';

/**
 * Counters that all workers of a node share. What has not been counted for long makes room when their memory is full,
 * so a node under many addresses forgets quiet ones first and refuses nobody for it.
 */

ffi.cdef(`
int kill(int process, int signal);
int clock_gettime(int clock, long *time);
`);
const monotonic = 1;
const time = ffi.new('long[2]');

const rates = ngx.shared.edge_rates;
const connections = ngx.shared.edge_connections;
const workers = ngx.shared.edge_workers;

/** Microseconds of the machine's clock that nobody sets, the same for all workers. */
function microseconds(): number {
  ffi.C.clock_gettime(monotonic, time);
  const parts = time as unknown as ffi.Numbers;
  return tonumber(parts[0])! * 1_000_000 + math.floor(tonumber(parts[1])! / 1000);
}

/** A counter as this worker left it, and that others count there too. */
const left = holding<number>(10_000);
const isShared = 0;

/**
 * Counts a request, or says how long to wait (microseconds). Another worker may change the counter in between: then what
 * was added is taken back, and the next try sees the change; so never more get through than the limit lets. What only one worker
 * counts, as of a visitor with one connection, it need not read before. The first try stands outside of the loop, since LuaJIT
 * does not compile a caller whole that meets one.
 */
export function takeRate(key: string, rate: Rate): number {
  const now = microseconds();
  const before = heldOf(left, key);
  if (before !== undefined && before !== isShared && takesAfter(key, rate, before, now)) return 0;
  const wait = tryRate(key, rate, now);
  return wait < 0 ? takeContested(key, rate) : wait;
}

/** Whether a request could be counted on a counter that is as it was left. What is refused is refused by what it is. */
function takesAfter(key: string, rate: Rate, before: number, now: number): boolean {
  const { allowed, next } = reserve(rate, before, now);
  if (!allowed) return false;
  if (rates.incr(key, next - before, 0) === next) {
    keep(left, key, next);
    return true;
  }
  rates.incr(key, before - next, 0);
  keep(left, key, isShared);
  return false;
}

function takeContested(key: string, rate: Rate): number {
  const now = microseconds();
  for (let tries = 1; tries < 10; tries++) {
    const wait = tryRate(key, rate, now);
    if (wait >= 0) return wait;
  }
  return rate.interval;
}

const contested = -1;

function tryRate(key: string, rate: Rate, now: number): number {
  const counter = (rates.get(key) as number | undefined) ?? 0;
  const { allowed, next, wait } = reserve(rate, counter, now);
  if (!allowed) return wait;
  const after = rates.incr(key, next - counter, 0);
  if (after === next || after === undefined) {
    if (heldOf(left, key) !== isShared) keep(left, key, next);
    return 0;
  }
  rates.incr(key, counter - next, 0);
  return contested;
}

/** How long a request would have to wait (microseconds), without counting it. */
export function waitOf(key: string, rate: Rate): number {
  const counter = (rates.get(key) as number | undefined) ?? 0;
  const { allowed, wait } = reserve(rate, counter, microseconds());
  return allowed ? 0 : wait;
}

/** How many requests at once a counter has taken of what it lets through, and how long the next would have to wait. */
export function usedOf(
  key: string,
  { interval, tolerance }: Rate,
): { used: number; max: number; wait: number } {
  const ahead = math.max(0, ((rates.get(key) as number | undefined) ?? 0) - microseconds());
  return {
    used: math.ceil(ahead / interval),
    max: tolerance / interval + 1,
    wait: math.max(0, ahead - tolerance),
  };
}

/**
 * Connections are counted over all workers, and by each worker what is its own. When one dies, what it had counted is dropped
 * with all counts: each worker then counts what it holds anew, under names with another number. Until all have, which takes
 * a second, the former counts decide as well; those of the dead worker stay in them, so that never too many get in.
 */
const own: Record<string, number> = {};
let names = holding<string>(10_000);
let heldEpoch = -1;
let formerEpoch = 0;
/** Until when the former counts decide; 0: no more. */
let formerUntil = 0;
const movingSeconds = 3;

function nameOf(key: string): string {
  const known = heldOf(names, key);
  if (known !== undefined) return known;
  const name = `${heldEpoch} ${key}`;
  keep(names, key, name);
  return name;
}

const formerNameOf = (key: string): string => `${formerEpoch} ${key}`;

/** Whether the former counts decide as well. */
function isMoving(): boolean {
  const epoch = countsEpoch();
  if (epoch !== heldEpoch) move(epoch);
  return formerUntil > 0;
}

function move(epoch: number): void {
  const { former, since } = formerCounts();
  formerEpoch = former;
  formerUntil = since === 0 ? 0 : since + movingSeconds;
  heldEpoch = epoch;
  names = holding(10_000);
  for (const key in own) connections.incr(nameOf(key), own[key]!, 0);
}

/** Each second in every worker, so that counts are whole soon after another has died. */
function keepUp(): void {
  if (isMoving() && ngx.now() > formerUntil) formerUntil = 0;
}

export function enter(key: string, max: number): boolean {
  const isFormer = isMoving();
  own[key] = (own[key] ?? 0) + 1;
  const all = connections.incr(nameOf(key), 1, 0);
  const former = isFormer ? connections.incr(formerNameOf(key), 1, 0) : 0;
  if ((all === undefined || all <= max) && (former === undefined || former <= max)) return true;
  leave(key);
  return false;
}

export function countOf(key: string): number {
  isMoving();
  return (connections.get(nameOf(key)) as number | undefined) ?? 0;
}

export function leave(key: string): void {
  if (isMoving()) subtract(formerNameOf(key));
  const count = (own[key] ?? 0) - 1;
  if (count > 0) own[key] = count;
  else delete own[key];
  subtract(nameOf(key));
}

/** A counter that made room meanwhile is gone or started anew; it does not go below none. */
function subtract(name: string): void {
  const after = connections.incr(name, -1);
  if (after !== undefined && after < 0) connections.incr(name, -after);
}

/** To be called as a worker starts: it takes the place of one that ended, perhaps killed amid its requests. */
export function registerWorker(): void {
  const pid = `${ngx.worker.pid()}`;
  if (workers.get(pid) !== undefined) countOut(pid);
  workers.set(pid, 1);
  countOutDead();
  isMoving();
  // Where no other takes a killed worker's place, as after a reload, somebody has to look.
  if (ngx.worker.id() === 0) ngx.timer.every(5, countOutDead);
  ngx.timer.every(1, keepUp);
}

/** As a worker ends in peace: it holds nothing. */
export function endWorker(): void {
  if (next(own)[0] === undefined) workers.delete(`${ngx.worker.pid()}`);
}

function countOutDead(): void {
  for (const pid of workers.get_keys(0)) if (ffi.C.kill(tonumber(pid)!, 0) !== 0) countOut(pid);
}

function countOut(pid: string): void {
  workers.delete(pid);
  const { now, former, since } = formerCounts();
  // Of two that die at once, those before the first.
  changeCounts(ngx.now() < since + movingSeconds ? former : now);
}
