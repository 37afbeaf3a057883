import { eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { siteDomain } from './schema.ts';

/**
 * What a site is called, by its first domain, as a field of another query; empty where it has none. The comparison is made by
 * `eq`: of a query of one table drizzle leaves out the table's name before columns that stand in the field itself.
 */
export const siteNameOf = (siteId: PgColumn): SQL<string> =>
  sql<string>`coalesce((SELECT ${siteDomain.domain} FROM ${siteDomain} WHERE ${eq(siteDomain.siteId, siteId)} ORDER BY ${siteDomain.position} LIMIT 1), '')`;
