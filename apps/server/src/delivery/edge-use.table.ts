import type { DocumentKind } from '@breakwater/contract';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** What needs other documents at the edge beside its own. */
export type UserKind = 'site' | 'level';
/** Documents that are wherever something needs them, and nowhere else. */
export type UsedKind = Exclude<DocumentKind, UserKind | 'refresh' | 'acme_challenge' | 'ban' | 'ban_setting'>;

/**
 * Who needs which document. Neither column refers to a table of its own, so what is used is kept from being deleted by
 * `assertUnused`, and whoever deletes a user withdraws it first.
 */
export const edgeUse = pgTable(
  'edge_use',
  {
    userKind: text().$type<UserKind>().notNull(),
    userId: integer().notNull(),
    depKind: text().$type<UsedKind>().notNull(),
    /** Of the document: `edge_document.key`. */
    depKey: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userKind, table.userId, table.depKind, table.depKey] }),
    index().on(table.depKind, table.depKey, table.userKind, table.userId),
  ],
);
