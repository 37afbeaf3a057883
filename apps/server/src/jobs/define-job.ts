import type { JobTaskType, Permission, ScheduleName } from '@breakwater/contract';
import type { Db, Transaction } from '../db/database.ts';
import type { EventConsumer, EventName } from '../events/define-consumer.ts';
import type { operation, operationItem } from '../db/schema.ts';
import type { Services } from '../services.ts';

export type Operation = typeof operation.$inferSelect;
export type Item = typeof operationItem.$inferSelect;

/** How an item ended well. `key`: of the object that was made. */
export interface Outcome {
  state: 'done' | 'unchanged';
  key?: string;
}

export interface ItemWork {
  services: Services;
  operation: Operation;
  item: Item;
  /** Aborted when it was cancelled, took too long, belongs to another worker by now, or the server stops. */
  signal: AbortSignal;
  /**
   * A transaction in which the result of the item is written as well, so that what is done is done once: whatever ends the
   * server, both are there or neither. Throws `LeaseLost` where another worker has the item.
   */
  transact: (work: (tx: Transaction) => Promise<Outcome>) => Promise<Outcome>;
  /** How far it is, of an operation that does not count by items. Throws `LeaseLost` as well. */
  report: (progress: number) => Promise<void>;
}

export interface Job {
  kind: JobTaskType;
  /**
   * Does one item. What it throws fails the item: an `ApiError` at once, anything else after as many attempts. Without
   * `transact` it may be done again after its end was lost, so it has to bear that.
   */
  run: (work: ItemWork) => Promise<Outcome>;
  /** How often an item is tried. */
  attempts: number;
  /** Seconds until the next try, after so many. */
  backoffSeconds: (attempt: number) => number;
  /** After which a try is given up. */
  timeoutSeconds: number;
  /** What one has to hold to do an operation again, besides `task.write`. */
  permission?: (db: Db, operationId: number) => Promise<Permission>;
}

/** Work that operations of one kind consist of; it stands beside its module, and in `modules/jobs.ts`. */
export const defineJob = (job: Job): Job => job;

export interface Schedule {
  name: ScheduleName;
  everySeconds: number;
  /** Events after which it does not wait for the clock. */
  after?: readonly EventName[];
  /** What it returns is logged. The signal says that the server stops, another has it by now, or it took too long. */
  run: (services: Services, signal: AbortSignal) => Promise<unknown>;
  /** After which another run begins although this one has not ended; an hour unless said. */
  timeoutSeconds?: number;
}

/** Everything that a worker does. */
export interface JobRegistry {
  jobs: readonly Job[];
  schedules: readonly Schedule[];
  /** Of events; absent where there are none. */
  consumers?: readonly EventConsumer[];
}

/** The seconds 1, 2, 4, 8 and so on, up to `most`. */
export const doubling =
  (most: number) =>
  (attempt: number): number =>
    Math.min(most, 2 ** (attempt - 1));

/** Another worker has taken the item over, or it is gone: nothing of it may be written any more. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has this by now');
  }
}

/** Nothing can be done for so long: the item waits as if it had not been begun, and leaves its place to others meanwhile. */
export class Later extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super('not yet');
    this.seconds = seconds;
  }
}
