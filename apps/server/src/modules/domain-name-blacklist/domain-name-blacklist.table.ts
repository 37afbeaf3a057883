import type { BlacklistHitState, BlacklistKind } from '@breakwater/contract';
import { boolean, foreignKey, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';
import { siteDomain } from '../site-domain/site-domain.table.ts';

/** Domains that no site may add. */
export const domainNameBlacklist = pgTable(
  'domain_name_blacklist',
  {
    id: id(),
    name: text().notNull(),
    kind: text().$type<BlacklistKind>().notNull(),
    reason: text().notNull().default(''),
    enabled: boolean().notNull().default(true),
    createdBy: text().notNull().default(''),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('domain_name_blacklist_name_unique').on(table.name, table.kind)],
);

/** Domains that sites had before; each is gone with its domain. */
export const domainNameBlacklistHit = pgTable(
  'domain_name_blacklist_hit',
  {
    id: id(),
    blacklistId: integer()
      .notNull()
      .references(() => domainNameBlacklist.id, { onDelete: 'cascade' }),
    domain: text().notNull(),
    siteId: integer().notNull(),
    state: text().$type<BlacklistHitState>().notNull().default('open'),
    decidedBy: text().notNull().default(''),
    decidedAt: moment(),
    note: text().notNull().default(''),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      columns: [table.domain, table.siteId],
      foreignColumns: [siteDomain.domain, siteDomain.siteId],
      name: 'domain_name_blacklist_hit_domain_fk',
    }).onDelete('cascade'),
    unique('domain_name_blacklist_hit_unique').on(table.blacklistId, table.domain, table.siteId),
    index().on(table.siteId),
    index().on(table.domain, table.siteId),
  ],
);
