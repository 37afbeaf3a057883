import type { DnsSeen, DnsVerdict, domainProofs } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, moment, randomText } from '../../db/columns.ts';
import { site } from '../site/site.table.ts';

/** The domains of sites. Two customers may claim one; it is `given` to one site on the whole platform. */
export const siteDomain = pgTable(
  'site_domain',
  {
    domain: text().notNull(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    /** The name without `*.`, then every name above it: names overlap where the first of one is among those of the other. */
    lineage: text()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`domain_lineage(domain)`),
    /** Its place in the site's list. */
    position: integer().notNull(),
    proof: text().$type<(typeof domainProofs)[number]>().notNull().default('given'),
    /** What a TXT record says to prove it: for this name on this site, and another one once the name is lost. */
    token: text().notNull().default(randomText(32)),
    /** Served since before overlapping names had to be proven: while it waits, it is served on. */
    wasServed: boolean().notNull().default(false),
    /** Nodes were told not to serve it: its line group asks for a filing number, and it has no confirmed one. */
    unfiled: boolean().notNull().default(false),
    claimedAt: createdAt(),
    /** The last check: what the DNS said and what that means. */
    verdict: text().$type<DnsVerdict>(),
    seen: jsonb().$type<DnsSeen>(),
    checkedAt: moment(),
    /** Checks since it was added or somebody asked: the more, the longer until the next. */
    checks: integer().notNull().default(0),
    nextCheckAt: moment(),
    /** When checking it by itself ends. */
    checkUntil: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.siteId] }),
    uniqueIndex('site_domain_given_index')
      .on(table.domain)
      .where(sql`${table.proof} = 'given'`),
    index('site_domain_lineage_index').using('gin', table.lineage),
    index('site_domain_bare_index').on(sql`(${table.lineage}[1])`),
    index().on(table.siteId, table.position),
    index('site_domain_part_index').using('gin', table.domain.op('gin_trgm_ops')),
    index()
      .on(table.nextCheckAt)
      .where(sql`${table.nextCheckAt} IS NOT NULL`),
  ],
);
