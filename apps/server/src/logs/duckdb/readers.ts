import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Scope } from '../../scope.ts';

/** One that reads, and the statements it has prepared, the one used last at the end. */
export interface Reader {
  connection: DuckDBConnection;
  prepared: Map<string, DuckDBPreparedStatement>;
}

/** Who asks, and what of that matters to the others who ask. */
export interface Asker {
  /** Whose question it is; owners take turns. */
  owner?: string;
  /** It may read records for long: one at a time does. */
  isLong?: boolean;
  /** Ends the question, also while it waits. */
  signal?: AbortSignal | undefined;
}

const hourMs = 3_600_000;

/** Whoever sees a scope. Of records of an hour and less the answer comes soon, whatever is asked of them. */
export const recordsAsker = (
  scope: Scope,
  start: string | undefined,
  end: string | undefined,
  signal?: AbortSignal,
): Asker => ({
  ...askerOf(scope),
  isLong:
    start === undefined || (end === undefined ? Date.now() : Date.parse(end)) - Date.parse(start) > hourMs,
  signal,
});

export const askerOf = (scope: Scope): Asker => ({
  owner: scope.clients === 'all' ? 'all' : scope.clients.join(),
});

interface Waiting {
  asker: Asker;
  resolve: (reader: Reader) => void;
}

const longMax = 1;

/** The connections that read. Long questions leave at least one of them to charts, however many are asked. */
export class Readers {
  readonly #idle: Reader[];
  readonly #count: number;
  #waiting: Waiting[] = [];
  #long = 0;
  #lastOwner: Asker['owner'];
  #onRest: (() => void) | undefined;

  constructor(readers: readonly Reader[]) {
    this.#idle = [...readers];
    this.#count = readers.length;
  }

  async take(asker: Asker): Promise<Reader> {
    asker.signal?.throwIfAborted();
    const idle = this.#mayBegin(asker) ? this.#idle.pop() : undefined;
    if (!idle) return this.#wait(asker);
    this.#begin(asker);
    return idle;
  }

  giveBack(reader: Reader, { isLong }: Asker): void {
    if (isLong) this.#long -= 1;
    const next = this.#next();
    if (next) {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
      this.#begin(next.asker);
      next.resolve(reader);
      return;
    }
    this.#idle.push(reader);
    if (this.#idle.length === this.#count) this.#onRest?.();
  }

  /** All of them, once nobody asks any more. */
  async rest(): Promise<readonly Reader[]> {
    if (this.#idle.length < this.#count) await new Promise<void>((resolve) => (this.#onRest = resolve));
    return this.#idle;
  }

  #begin({ owner, isLong }: Asker): void {
    if (isLong) this.#long += 1;
    this.#lastOwner = owner;
  }

  #mayBegin({ isLong }: Asker): boolean {
    return !isLong || this.#long < longMax;
  }

  /** The first that waits, of another owner than the last where there is one. */
  #next(): Waiting | undefined {
    const ready = this.#waiting.filter(({ asker }) => this.#mayBegin(asker));
    return ready.find(({ asker }) => asker.owner !== this.#lastOwner) ?? ready[0];
  }

  #wait(asker: Asker): Promise<Reader> {
    const { signal } = asker;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(signal?.reason as Error);
      };
      const waiting: Waiting = {
        asker,
        resolve: (reader) => {
          signal?.removeEventListener('abort', leave);
          resolve(reader);
        },
      };
      signal?.addEventListener('abort', leave);
      this.#waiting.push(waiting);
    });
  }
}
