import type { SiteRefreshMode, SiteRefreshType } from '@breakwater/contract';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { authorType, createdAt, id } from '../../db/columns.ts';
import { operation } from '../../jobs/operation.table.ts';
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
    authorType: authorType(),
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

/** How far a node is in listing what it has stored. */
export interface ListingNode {
  id: number;
  /** Where it goes on; null once it is through. */
  after: string | null;
  share: number;
  /** How often in a row it did not answer. */
  misses: number;
}

/** URLs of one site that are found by a pattern among what its nodes have stored. It goes with its operation. */
export const siteRefreshPattern = pgTable(
  'site_refresh_pattern',
  {
    id: id(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    operationId: integer()
      .notNull()
      .references(() => operation.id, { onDelete: 'cascade' }),
    pattern: text().notNull(),
    mode: text().$type<SiteRefreshMode>().notNull(),
    /** URLs a second. */
    rate: integer().notNull(),
    found: integer().notNull().default(0),
    nodes: jsonb().$type<ListingNode[]>().notNull(),
    authorType: authorType(),
    createdBy: text().notNull(),
  },
  (table) => [index().on(table.siteId), index().on(table.operationId)],
);

/** What was refreshed already: several nodes have the same. By digest, for a URL is longer than a key may be. */
export const siteRefreshFound = pgTable(
  'site_refresh_found',
  {
    patternId: integer()
      .notNull()
      .references(() => siteRefreshPattern.id, { onDelete: 'cascade' }),
    digest: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.patternId, table.digest] })],
);
