import { consoleFaultsMax, type ConsoleFault } from '@breakwater/contract';
import type { Logger } from 'pino';

const windowMs = 60_000;

/** What consoles tell of their own failures: counted by each process since its start, and written to its log. */
export class ConsoleFaults {
  count = 0;
  last: Date | null = null;
  #written = new Map<string, number>();
  #windowEnd = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whoever tells of many fills no log: of each account some are written in a minute, all are counted. */
  add(account: string, fault: ConsoleFault): void {
    this.count += 1;
    this.last = new Date();
    if (this.last.getTime() >= this.#windowEnd) {
      this.#written = new Map();
      this.#windowEnd = this.last.getTime() + windowMs;
    }
    const written = this.#written.get(account) ?? 0;
    if (written >= consoleFaultsMax) return;
    this.#written.set(account, written + 1);
    this.#log.warn({ account, fault }, 'console fault');
  }
}
