import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { site } from '../site/site.table.ts';

export const certificate = pgTable(
  'certificate',
  {
    id: id(),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    name: text().notNull(),
    domains: text().array().notNull(),
    issuer: text().notNull(),
    fingerprint: text().notNull(),
    notBefore: moment().notNull(),
    notAfter: moment().notNull(),
    certificate: text().notNull(),
    /** Encrypted by `secrets.ts`. */
    privateKey: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.clientId), index().on(table.notAfter)],
);

/** Which sites use a certificate, kept beside the site's configuration so that both ways are one look-up. */
export const siteCertificate = pgTable(
  'site_certificate',
  {
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    certificateId: integer()
      .notNull()
      .references(() => certificate.id),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.certificateId] }), index().on(table.certificateId)],
);
