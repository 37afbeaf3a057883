import { reserve, type Rate } from '@breakwater/policy/access/rate';
import * as ffi from 'ffi';

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

/** Of the counters that are this worker's. */
let ownPrefix = '';

/** Microseconds of the machine's clock that nobody sets, the same for all workers. */
function microseconds(): number {
  ffi.C.clock_gettime(monotonic, time);
  const parts = time as unknown as ffi.Numbers;
  return tonumber(parts[0])! * 1_000_000 + math.floor(tonumber(parts[1])! / 1000);
}

/**
 * Counts a request, or says how long to wait (microseconds). Another worker may change the counter in between: then what
 * was added is taken back, and the next try sees the change; so never more get through than the limit lets. The first
 * try stands outside of the loop, since LuaJIT does not compile a caller whole that meets one.
 */
export function takeRate(key: string, rate: Rate): number {
  const wait = tryRate(key, rate, microseconds());
  return wait < 0 ? takeContested(key, rate) : wait;
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
  if (after === next || after === undefined) return 0;
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
 * Connections are counted twice: in all, and by worker, so that a worker that dies can be counted out. The worker's
 * first: dying between the two it leaves a count too low, which the next requests mend, and never one too high.
 */
export function enter(key: string, max: number): boolean {
  const own = ownPrefix + key;
  connections.incr(own, 1, 0);
  const all = connections.incr(`all ${key}`, 1, 0);
  if (all === undefined || all <= max) return true;
  connections.incr(`all ${key}`, -1);
  connections.incr(own, -1);
  return false;
}

export function countOf(key: string): number {
  return (connections.get(`all ${key}`) as number | undefined) ?? 0;
}

export function leave(key: string): void {
  subtract(`all ${key}`, 1);
  subtract(ownPrefix + key, 1);
}

/** A counter that made room meanwhile is gone or started anew; it does not go below none. */
function subtract(key: string, count: number): void {
  const left = connections.incr(key, -count);
  if (left !== undefined && left < 0) connections.incr(key, -left);
}

/** To be called as a worker starts: it takes the place of one that ended, perhaps killed amid its requests. */
export function registerWorker(): void {
  const pid = `${ngx.worker.pid()}`;
  ownPrefix = `${pid} `;
  if (workers.get(pid) !== undefined) countOut(pid);
  workers.set(pid, 1);
  countOutDead();
  // Where no other takes a killed worker's place, as after a reload, somebody has to look.
  if (ngx.worker.id() === 0) ngx.timer.every(5, countOutDead);
}

function countOutDead(): void {
  for (const pid of workers.get_keys(0)) if (ffi.C.kill(tonumber(pid)!, 0) !== 0) countOut(pid);
}

function countOut(pid: string): void {
  workers.delete(pid);
  const prefix = `${pid} `;
  for (const key of connections.get_keys(0)) {
    if (!key.startsWith(prefix)) continue;
    const count = connections.get(key) as number | undefined;
    connections.delete(key);
    if (count !== undefined) subtract(`all ${string.sub(key, prefix.length + 1)}`, count);
  }
}
