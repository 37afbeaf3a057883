import { and, eq, inArray, sql, type Column, type SQL } from 'drizzle-orm';
import { ApiError, invalid } from './api-error.ts';
import { site } from './db/schema.ts';

/**
 * What a caller may see and change. It is made from the session, once; whoever reads or writes rows of customers asks
 * `owned` or `owns`, and does not look inside.
 */
export interface Scope {
  /** Whose rows; those of the platform belong to `all` alone. */
  readonly clients: 'all' | readonly number[];
  /** Of these customers only what belongs to these sites; everything when absent. */
  readonly sites?: readonly number[];
}

/** What operators have, and what the platform does by itself. */
export const everything: Scope = { clients: 'all' };
export const ofClient = (id: number): Scope => ({ clients: [id] });

/** Whether nothing is left out: who may be told of nodes, of the platform's own, and of whose something is. */
export const seesAll = ({ clients, sites }: Scope): boolean => clients === 'all' && sites === undefined;

/** Customers are told that it was the platform, by an empty name, not which administrator. */
export const authorName = (scope: Scope, type: string | null, name: string): string =>
  type === 'admin' && !seesAll(scope) ? '' : name;

/** A table whose rows belong to customers, to sites, or to both. The table of sites is one of them. */
type OwnedTable =
  | { clientId: Column; siteId?: Column }
  | { siteId: Column; clientId?: undefined }
  | typeof site;

/**
 * The condition that every query on such a table carries. A scope of certain sites holds nothing of what belongs to
 * a customer as a whole: certificates, lists, orders.
 */
export function owned(table: OwnedTable, scope: Scope): SQL | undefined {
  const { clients, sites } = scope;
  if (clients === 'all' && sites === undefined) return undefined;
  const siteId = table === site ? site.id : (table as { siteId?: Column }).siteId;
  if (table.clientId === undefined)
    return sql`EXISTS (
    SELECT FROM ${site} WHERE ${and(eq(site.id, siteId!), owned(site, scope))})`;
  return and(
    clients === 'all' ? undefined : one(table.clientId, clients),
    sites === undefined ? undefined : siteId === undefined ? sql`false` : one(siteId, sites),
  );
}

const one = (column: Column, ids: readonly number[]): SQL =>
  ids.length === 1 ? eq(column, ids[0]!) : inArray(column, [...ids]);

/** The same for a row that is there. */
export const owns = ({ clients, sites }: Scope, row: { clientId: number | null; siteId?: number }): boolean =>
  (clients === 'all' || (row.clientId !== null && clients.includes(row.clientId))) &&
  (sites === undefined || (row.siteId !== undefined && sites.includes(row.siteId)));

/**
 * Whose a new row is: null for the platform's. Who acts for several customers has to name one; who has certain sites makes
 * nothing for a customer as a whole.
 */
export function ownerOfNew({ clients, sites }: Scope, named?: number | null): number | null {
  if (sites !== undefined) throw new ApiError('forbidden');
  if (clients === 'all') return named ?? null;
  const id = named ?? (clients.length === 1 ? clients[0]! : undefined);
  if (id === undefined) throw invalid('client_id', 'required');
  if (!clients.includes(id)) throw invalid('client_id', 'does_not_exist');
  return id;
}
