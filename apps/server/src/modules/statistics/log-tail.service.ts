import { setTimeout as sleep } from 'node:timers/promises';
import { tailRowsMax, type AccessLogRow, type LogTailEvent } from '@breakwater/contract';
import type { LogFilters } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { findRows } from './log-search.service.ts';

const lookMilliseconds = 1000;
/** Rows of a node that was away for longer are found by a search. */
const lookBackMs = 60_000;
/** After so long it begins anew with what is looked at, which would grow all the time. */
const renewMs = 5 * 60_000;

interface Asked {
  store: Pick<Services, 'db' | 'logStore'>;
  scope: Scope;
  filters: LogFilters;
  signal: AbortSignal;
}

/** Records as they are stored, by looking every second. Ends when the signal aborts; a look that fails is made up for. */
export async function* tailRecords(asked: Asked): AsyncGenerator<LogTailEvent> {
  const { signal } = asked;
  const tail = new Tail(asked);
  // What is there already is not told; where that cannot be known yet, a search will say why.
  let known = (await tail.look().catch(() => undefined)) !== undefined;
  yield { type: 'start' };
  while (!signal.aborted) {
    const rows = await tail.look().catch(() => undefined);
    if (rows && known && (rows.list.length > 0 || rows.not_shown > 0)) yield { type: 'rows', ...rows };
    known ||= rows !== undefined;
    await sleep(lookMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** Knows which records it has seen since a time, and how many there were. */
class Tail {
  readonly #asked: Asked;
  #since = Date.now() - lookBackMs;
  #begunAt = Date.now();
  #known = 0;
  readonly #seen = new Map<string, string>();

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** What was stored since the last look. */
  async look(): Promise<{ list: AccessLogRow[]; not_shown: number }> {
    const { list, total } = await this.#find(tailRowsMax);
    const fresh = list.filter(({ request_id }) => !this.#seen.has(request_id));
    for (const { request_id, time } of fresh) this.#seen.set(request_id, time);
    const stored = total - this.#known;
    this.#known = total;
    if (Date.now() - this.#begunAt > renewMs) await this.#renew();
    return { list: fresh, not_shown: Math.max(0, stored - fresh.length) };
  }

  async #renew(): Promise<void> {
    this.#begunAt = Date.now();
    this.#since = this.#begunAt - lookBackMs;
    const since = new Date(this.#since).toISOString();
    for (const [id, time] of this.#seen) if (time < since) this.#seen.delete(id);
    this.#known = (await this.#find(1)).total;
  }

  #find(page_size: number) {
    const { store, scope, filters, signal } = this.#asked;
    const all = { ...filters, start_time: new Date(this.#since).toISOString(), time_sort: 'desc' as const };
    return findRows(store, scope, all, { current_page: 1, page_size }, signal);
  }
}
