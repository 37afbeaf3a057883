import type { HealthErrorCode, OriginHealthState } from '@breakwater/contract';
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

/** Tables of the checks of origins: what each node says now, and when that changed. */

const siteId = () =>
  integer()
    .notNull()
    .references(() => site.id, { onDelete: 'cascade' });

const nodeId = () =>
  integer()
    .notNull()
    .references(() => node.id, { onDelete: 'cascade' });

export const originHealth = pgTable(
  'origin_health',
  {
    siteId: siteId(),
    nodeId: nodeId(),
    /** As the site names the origin; `ip` is what that stands for on the node. */
    address: text().notNull(),
    ip: text().notNull(),
    port: integer().notNull(),
    state: text().$type<OriginHealthState>().notNull(),
    since: moment().notNull(),
    checkedAt: moment().notNull(),
    latencyMs: integer().notNull(),
    errorCode: text().$type<HealthErrorCode>(),
    errorDetail: text(),
    reportedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.nodeId, table.address, table.ip, table.port] }),
    // None on what changes with every report, so that an update stays on its page.
    index().on(table.nodeId),
  ],
);

export const originHealthEvent = pgTable(
  'origin_health_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    siteId: siteId(),
    nodeId: nodeId(),
    address: text().notNull(),
    ip: text().notNull(),
    port: integer().notNull(),
    state: text().$type<OriginHealthState>().notNull(),
    at: moment().notNull(),
    errorCode: text().$type<HealthErrorCode>(),
    errorDetail: text(),
  },
  (table) => [
    // A report that is sent twice counts once.
    uniqueIndex('origin_health_event_once').on(
      table.siteId,
      table.nodeId,
      table.address,
      table.ip,
      table.port,
      table.at,
      table.state,
    ),
    index().on(table.siteId, table.at),
    index().on(table.nodeId),
    index().on(table.at),
  ],
);
