import type { EventActor, EventKind, EventSubject } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../db/columns.ts';
import type { EventData } from './event-data.ts';

/**
 * What happened, written in the transaction in which it happened: the outbox. Events refer to rows that may be gone, so
 * that nothing here is a foreign key.
 */
export const event = pgTable(
  'event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /**
     * Its place for consumers, given after its transaction has committed: ids are given before, and a transaction that
     * commits late has a lower one than others that are read already.
     */
    place: bigint({ mode: 'number' }),
    at: createdAt(),
    kind: text().$type<EventKind>().notNull(),
    subjectKind: text().$type<EventSubject>().notNull(),
    /** Null where there is only one, or where it has no number: settings. */
    subjectId: integer(),
    /** As it was called, for people: it may be gone. */
    subjectName: text().notNull().default(''),
    /** Whose the subject was; null for the platform's. */
    clientId: integer(),
    siteId: integer().generatedAlwaysAs(sql`CASE WHEN subject_kind = 'site' THEN subject_id END`),
    actorType: text().$type<EventActor>().notNull(),
    actorId: integer(),
    actorName: text().notNull(),
    /** The name of its API token, which may be gone. */
    program: text().notNull().default(''),
    data: jsonb().$type<EventData>().notNull(),
  },
  (table) => [
    uniqueIndex().on(table.place),
    index()
      .on(table.id)
      .where(sql`${table.place} IS NULL`),
    index().on(table.subjectKind, table.subjectId, table.id),
    index().on(table.at),
  ],
);

/** How far each consumer is. Its row is locked while it works: on one server at a time. */
export const eventConsumer = pgTable('event_consumer', {
  name: text().primaryKey(),
  /** The place of the last event that it is done with. */
  position: bigint({ mode: 'number' }).notNull(),
  /** Up to this place it is given one event at a time, since one of them failed. */
  carefulUntil: bigint({ mode: 'number' }).notNull().default(0),
  /** How often it has failed at the event that is next. */
  attempt: integer().notNull().default(0),
  nextAt: moment().notNull().defaultNow(),
  lastError: text(),
});
