import type { RejectScope } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { authorType, createdAt, id, moment } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

const nodeId = () => integer().references(() => node.id, { onDelete: 'set null' });

/**
 * A document that tells nodes of some hundred bans (`site-reject-publish.ts`). It is written anew while it takes more, and when
 * one of them is released; those that have become few are moved into another.
 */
export const banSegment = pgTable('ban_segment', {
  id: id(),
  /** How many were put into it. */
  placed: integer().notNull().default(0),
});

/** Addresses that are turned away for a time, whatever they ask. */
export const siteReject = pgTable(
  'site_reject',
  {
    id: id(),
    scope: text().$type<RejectScope>().notNull().default('site'),
    /** Of one site. */
    siteId: integer().references(() => site.id, { onDelete: 'cascade' }),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
    /** An address, or a network by CIDR; each has one spelling. */
    remoteAddr: text().notNull(),
    /** The section, and its rule, that had the address turned away, as a log record's `decision`; empty where somebody did. */
    decision: text().notNull(),
    /** In the words of whoever did it by hand. */
    reason: text().notNull().default(''),
    /** The request that met the rule. */
    requestId: text(),
    /** Who did it by hand. */
    authorType: authorType(),
    createdBy: text(),
    /** How often it was turned away before, within the window of the setting. */
    repeats: integer().notNull().default(0),
    kernel: boolean().notNull().default(false),
    /** Where it began. */
    nodeId: nodeId(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    /** Ended before its time. */
    releasedAt: moment(),
    releaserType: authorType(),
    releasedBy: text(),
    /** The document that tells nodes of it. */
    segmentId: integer().references(() => banSegment.id),
  },
  (table) => [
    index().on(table.siteId, table.createdAt),
    index().on(table.clientId, table.createdAt),
    index().on(table.createdAt),
    index().on(table.remoteAddr),
    index().on(table.segmentId),
    index('site_reject_standing')
      .on(table.expiresAt)
      .where(sql`${table.releasedAt} IS NULL`),
    check(
      'site_reject_scope',
      sql`CASE ${table.scope} WHEN 'site' THEN ${table.siteId} IS NOT NULL AND ${table.clientId} IS NOT NULL
        WHEN 'client' THEN ${table.siteId} IS NULL AND ${table.clientId} IS NOT NULL
        ELSE ${table.siteId} IS NULL AND ${table.clientId} IS NULL END`,
    ),
  ],
);
