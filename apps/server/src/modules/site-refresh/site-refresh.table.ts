import type { SiteRefreshMode, SiteRefreshType } from '@breakwater/contract';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { site } from '../site/site.table.ts';

/** Content of one site that nodes were told to fetch again; the document `refresh/<id>` tells them. */
export const siteRefresh = pgTable(
  'site_refresh',
  {
    id: id(),
    type: text().$type<SiteRefreshType>().notNull(),
    mode: text().$type<SiteRefreshMode>().notNull().default('delete'),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    /** URLs or folders, as browsers write them, or tags; empty for the whole site. */
    targets: text().array().notNull(),
    createdBy: text().notNull(),
    createdAt: createdAt(),
    /** What nodes had said of it when the document was withdrawn; null while it is there. */
    nodesApplied: integer(),
    nodesTotal: integer(),
  },
  (table) => [
    index().on(table.clientId, table.id),
    index().on(table.siteId, table.id),
    index().on(table.createdAt),
  ],
);
