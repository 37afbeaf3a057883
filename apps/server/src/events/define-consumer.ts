import type { EventKind, EventSubject } from '@breakwater/contract';
import type { Transaction } from '../db/database.ts';
import type { event } from '../db/schema.ts';

export type StoredEvent = typeof event.$inferSelect;
/** What happened to what: `site.created`. */
export type EventName = `${EventSubject}.${EventKind}`;
export const nameOf = ({ subjectKind, kind }: Pick<StoredEvent, 'subjectKind' | 'kind'>): EventName =>
  `${subjectKind}.${kind}`;

export interface EventConsumer {
  /** In the table of positions, for good: another name is another consumer, which begins with what happens from then on. */
  name: string;
  /**
   * Does what follows from these events, the oldest first. Its position is stored in the same transaction, so that what it
   * writes there is written once; anything else may be done again, and what takes long is left to an operation. When it
   * throws, nothing is written, and it is given the same events later.
   */
  consume: (tx: Transaction, events: readonly StoredEvent[]) => Promise<void>;
}

/** It stands beside its module, and in `modules/jobs.ts`. */
export const defineConsumer = (consumer: EventConsumer): EventConsumer => consumer;
