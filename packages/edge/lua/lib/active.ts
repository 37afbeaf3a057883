import * as ffi from 'ffi';

ffi.cdef('int kill(int process, int signal);');

/**
 * Requests under way at origins, counted over all workers and only for sites that ask for it. Beside each sum stands
 * what each worker adds to it, so that the share of one that was killed can be taken off again.
 */
const active = ngx.shared.edge_active;

export function isRunning(pid: number): boolean {
  return ffi.C.kill(pid, 0) === 0;
}

export function activeAt(place: string): number {
  return (active.get('sum/' + place) as number | undefined) ?? 0;
}

export function startAt(place: string): void {
  count(place, 1);
}

export function endAt(place: string): void {
  count(place, -1);
}

function count(place: string, by: number): void {
  active.incr('sum/' + place, by, 0);
  active.incr(`of/${ngx.worker.pid()} ${place}`, by, 0);
}

/** To be called by a worker that starts. */
export function dropDeadWorkers(): void {
  for (const key of active.get_keys(0)) {
    const [pid, place] = string.match(key, '^of/(%d+) (.+)$');
    if (pid === undefined || isRunning(tonumber(pid)!)) continue;
    const [isMine] = active.add('drop/' + key, 1, 60);
    if (!isMine) continue;
    active.incr('sum/' + place!, -(active.get(key) as number), 0);
    active.delete(key);
  }
}
