import type { FollowKind, PrefetchEncoding, PrefetchError } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { authorType, createdAt, id } from '../../db/columns.ts';
import { operation } from '../../jobs/operation.table.ts';
import { client } from '../client/client.table.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

/** Content of one site that nodes fetch before visitors ask for it. It goes with the operation that did it last. */
export const sitePrefetch = pgTable(
  'site_prefetch',
  {
    id: id(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    operationId: integer()
      .notNull()
      .references(() => operation.id, { onDelete: 'cascade' }),
    /** Empty without one. */
    sitemap: text().notNull(),
    concurrency: integer().notNull(),
    /** Requests a second, of all nodes together. */
    rate: integer().notNull(),
    encodings: text().array().$type<PrefetchEncoding[]>().notNull(),
    languages: text().array().notNull(),
    playlists: boolean().notNull(),
    /** What is found counts against the quota of its customer. */
    limited: boolean().notNull(),
    truncated: boolean().notNull().default(false),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    authorType: authorType(),
    createdBy: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.clientId, table.id),
    index().on(table.siteId, table.id),
    index().on(table.operationId),
  ],
);

/** What was asked for, and what was found in it. */
export const sitePrefetchUrl = pgTable(
  'site_prefetch_url',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    prefetchId: integer()
      .notNull()
      .references(() => sitePrefetch.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    /** Its answer lists more. */
    follow: text().$type<FollowKind>(),
  },
  // A URL is longer than a key may be.
  (table) => [uniqueIndex('site_prefetch_url_once').on(table.prefetchId, sql`md5(${table.url})`)],
);

export const sitePrefetchNode = pgTable(
  'site_prefetch_node',
  {
    prefetchId: integer()
      .notNull()
      .references(() => sitePrefetch.id, { onDelete: 'cascade' }),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    /** How often in a row it did not answer. */
    misses: smallint().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.prefetchId, table.nodeId] })],
);

/** What a node was answered. */
export const sitePrefetchResult = pgTable(
  'site_prefetch_result',
  {
    prefetchId: integer()
      .notNull()
      .references(() => sitePrefetch.id, { onDelete: 'cascade' }),
    urlId: bigint({ mode: 'number' })
      .notNull()
      .references(() => sitePrefetchUrl.id, { onDelete: 'cascade' }),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    /** Which of the languages and encodings: see `variantOf`. */
    variant: smallint().notNull(),
    /** Null: there was no answer. */
    status: smallint(),
    bytes: bigint({ mode: 'number' }).notNull(),
    milliseconds: integer().notNull(),
    cache: text().notNull(),
    error: text().$type<PrefetchError>(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.urlId, table.nodeId, table.variant] }),
    index().on(table.prefetchId, table.createdAt),
  ],
);
