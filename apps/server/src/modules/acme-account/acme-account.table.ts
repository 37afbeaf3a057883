import type { AcmeDirectoryCode, CertificateKeyType } from '@breakwater/contract';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, sealed, updatedAt, version } from '../../db/columns.ts';

/** Accounts at certificate authorities; the platform's. */
export const acmeAccount = pgTable('acme_account', {
  id: id(),
  name: text().notNull().unique('acme_account_name_unique'),
  directory: text().$type<AcmeDirectoryCode>().notNull(),
  directoryUrl: text().notNull(),
  directoryCa: text().notNull(),
  email: text().notNull(),
  termsAgreed: boolean().notNull(),
  eabKeyId: text().notNull(),
  eabHmacKey: sealed(),
  keyType: text().$type<CertificateKeyType>().notNull(),
  profile: text().notNull(),
  priority: integer().notNull(),
  enabled: boolean().notNull(),
  limitDomainCertificates: integer().notNull().default(50),
  limitOrders: integer().notNull().default(300),
  limitFailures: integer().notNull().default(5),
  limitDuplicates: integer().notNull().default(5),
  renewalsExempt: boolean().notNull().default(true),
  /** PEM; null before it is first needed, and anew for another directory. */
  accountKey: sealed(),
  /** Empty before the key is registered. */
  accountUrl: text().notNull().default(''),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
