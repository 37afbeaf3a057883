import type {
  AcmeLimit,
  CertificateChallenge,
  CertificateKeyType,
  CertificateOrderProblem,
  CertificateOrderState,
  CertificateStepKind,
} from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, sealed, updatedAt, version } from '../../db/columns.ts';
import { acmeAccount } from '../acme-account/acme-account.table.ts';
import { certificate } from '../certificate/certificate.table.ts';
import { client } from '../client/client.table.ts';
import { dnsAccount } from '../dns-account/dns-account.table.ts';
import { site } from '../site/site.table.ts';

export interface WrittenRecord {
  zone: string;
  name: string;
  /** As they are, without quotes. */
  values: string[];
}

/** Certificates that are obtained from an authority and renewed, and how far that is. */
export const certificateOrder = pgTable(
  'certificate_order',
  {
    id: id(),
    /** Null: the platform's own. */
    clientId: integer().references(() => client.id),
    name: text().notNull(),
    domains: text().array().notNull(),
    acmeAccountId: integer().references(() => acmeAccount.id),
    challenge: text().$type<CertificateChallenge>().notNull(),
    dnsAccountId: integer().references(() => dnsAccount.id),
    keyType: text().$type<CertificateKeyType>(),
    reuseKey: boolean().notNull(),
    /** Whose domains it follows; null where they were chosen by hand. */
    siteId: integer().references(() => site.id, { onDelete: 'cascade' }),
    /** Of the orders of one site, each of which has some of its domains: so that nobody makes one twice. */
    part: integer().notNull().default(0),
    /** Made by the platform, since its site wants a certificate; `basis` is what domains and challenge follow from, empty where it wants none any more. */
    automatic: boolean().notNull().default(false),
    basis: text().notNull().default(''),
    /** When they are looked at again although nothing here has changed. */
    replanAt: moment(),
    certificateId: integer().references(() => certificate.id, { onDelete: 'cascade' }),
    state: text().$type<CertificateOrderState>().notNull().default('waiting'),
    /** When it is due: for a try, or for asking the authority when to renew. Null while it is under way, and when nothing follows. */
    nextAt: moment(),
    renewAt: moment(),
    /** Tries in a row that failed. */
    failures: integer().notNull().default(0),
    problem: text().$type<CertificateOrderProblem>(),
    problemDetail: text().notNull().default(''),
    /** Days before the end of which was told that it is not renewed. */
    warnedDays: integer(),
    /** The task that has it; what another task does of it is nothing. */
    operationId: integer(),
    /** With whom this try is. */
    orderAccountId: integer().references(() => acmeAccount.id),
    /** By whom the certificate was issued: who is asked when to renew it, and who revokes it. */
    issuedAccountId: integer().references(() => acmeAccount.id, { onDelete: 'set null' }),
    /** Accounts that failed in this try: the next one is asked. */
    failedAccountIds: integer()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** At the authority; stored before anything is done with it, so that whoever goes on makes no second one. */
    orderUrl: text().notNull().default(''),
    /** PEM of the key that the certificate under way is for. */
    orderKey: sealed(),
    /** How far the try is, so that the timeline has each line once. */
    phase: text().notNull().default(''),
    /** Since when it waits for nodes, for DNS, or for the authority. */
    waitingSince: moment(),
    /** Of the platform's own names, what the control plane answers by http-01: by host, then by token. */
    answers: jsonb().$type<Record<string, Record<string, string>>>(),
    /** TXT records that were written for this try; stored before they are, so that whoever goes on takes them away. */
    records: jsonb().$type<WrittenRecord[]>().notNull().default([]),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index().on(table.clientId, table.id),
    index().on(table.certificateId),
    uniqueIndex('certificate_order_part_unique').on(table.siteId, table.part),
    index()
      .on(table.nextAt)
      .where(sql`${table.nextAt} IS NOT NULL`),
    index('certificate_order_working_index')
      .on(table.id)
      .where(sql`${table.state} = 'working'`),
  ],
);

/** The timeline of one. */
export const certificateStep = pgTable(
  'certificate_step',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => certificateOrder.id, { onDelete: 'cascade' }),
    at: createdAt(),
    kind: text().$type<CertificateStepKind>().notNull(),
    problem: text().$type<CertificateOrderProblem>(),
    detail: text().notNull().default(''),
    facts: jsonb().$type<Record<string, string>>().notNull(),
  },
  (table) => [index().on(table.orderId, table.id)],
);

/** What authorities were asked for, as far as they count it. */
export const acmeUsage = pgTable(
  'acme_usage',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The address of its directory. */
    authority: text().notNull(),
    kind: text().$type<AcmeLimit>().notNull(),
    /** What it is counted for: a registered domain, an account, a name with its account, a set of names. */
    subject: text().notNull(),
    at: createdAt(),
    /** Of a certificate that is asked for and not there yet: taken back where the try fails. */
    orderId: integer().references(() => certificateOrder.id, { onDelete: 'set null' }),
  },
  (table) => [
    index().on(table.authority, table.kind, table.subject, table.at),
    index().on(table.at),
    index()
      .on(table.orderId)
      .where(sql`${table.orderId} IS NOT NULL`),
  ],
);
