import type { SiteStatus, SiteStatusReason } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, randomText, siteConfig, updatedAt } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { lineGroup } from '../line-group/line-group.table.ts';
import { order } from '../order/order.table.ts';

export const site = pgTable(
  'site',
  {
    id: id(),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    orderId: integer()
      .notNull()
      .references(() => order.id),
    /** Whose nodes serve it: that of its order, or the one before until the site has moved as well (`order-move.ts`). */
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id),
    /** Grows with every change; a save names the one it was built on. */
    version: integer().notNull().default(1),
    /** The whole configuration; revisions keep what it was. */
    config: siteConfig().notNull(),
    /** `own` of the configuration, for counting: the fields it does not inherit. */
    own: text().array().notNull().default([]),
    status: text().$type<SiteStatus>().notNull().default('online'),
    statusReason: text().$type<SiteStatusReason>().notNull().default('none'),
    /** What a suspended site goes back to by itself. */
    resumeStatus: text().$type<SiteStatus>(),
    /** The first label of its CNAME. */
    cnameLabel: text().notNull().unique('site_cname_label_unique').default(randomText(12)),
    /** Set while nodes still have it after it was deleted. */
    removedAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index().on(table.clientId),
    index().on(table.orderId),
    index().on(table.lineGroupId),
    index('site_own_index').using('gin', table.own),
    index('site_origin_part_index').using(
      'gin',
      sql`(${table.config}->'origin_server_config'->>'origins') gin_trgm_ops`,
    ),
    index('site_port_index').using('gin', sql`(${table.config}->'listen_port') jsonb_path_ops`),
    index()
      .on(table.status)
      .where(sql`${table.status} <> 'online'`),
    index()
      .on(table.removedAt)
      .where(sql`${table.removedAt} IS NOT NULL`),
  ],
);
