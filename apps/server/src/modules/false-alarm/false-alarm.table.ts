import type { FalseAlarmLine, FalseAlarmOutcome } from '@breakwater/contract';
import { boolean, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { site } from '../site/site.table.ts';

/** Requests that were reported as no attack. It is open until it has an outcome. */
export const falseAlarm = pgTable(
  'false_alarm',
  {
    id: id(),
    version: version(),
    clientId: integer()
      .notNull()
      .references(() => client.id, { onDelete: 'cascade' }),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    requestId: text().notNull(),
    /** A copy of what is needed: the line itself ends with the log. */
    line: jsonb().$type<FalseAlarmLine>().notNull(),
    note: text().notNull().default(''),
    reportedBy: text().notNull(),
    /** Somebody of the platform, whom customers are not told. */
    byOperator: boolean().notNull().default(false),
    outcome: text().$type<FalseAlarmOutcome>(),
    answer: text().notNull().default(''),
    handledBy: text(),
    handledAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('false_alarm_request_unique').on(table.siteId, table.requestId),
    index().on(table.clientId, table.createdAt),
    index().on(table.createdAt),
  ],
);
