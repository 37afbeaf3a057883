import type {
  AdminGroup,
  Cycle,
  DnsSeen,
  DnsVerdict,
  NodeState,
  SiteStatus,
  SiteStatusReason,
  domainProofs,
  productLimits,
  prices,
} from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type * as z from 'zod';
import { createdAt, id, moment, siteConfig, updatedAt } from './columns.ts';

/** Hexadecimal digits, 32 at most. */
const randomText = (length: number) =>
  sql.raw(`substr(replace(gen_random_uuid()::text, '-', ''), 1, ${length})`);

/** Tables by entity. Enumerations are text, held to their values by the contract; money is in minor units. */

export const adminUser = pgTable('admin_user', {
  id: id(),
  username: text().notNull().unique(),
  name: text().notNull().default(''),
  email: text().notNull().default(''),
  passwordHash: text().notNull(),
  group: text().$type<AdminGroup>().notNull(),
  enabled: boolean().notNull().default(true),
  /** Tokens of an earlier epoch are refused: raising it ends every session. */
  sessionEpoch: integer().notNull().default(1),
  lastLoginIp: text().notNull().default(''),
  lastLoginAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const client = pgTable('client', {
  id: id(),
  name: text().notNull(),
  email: text().notNull().unique('client_email_unique'),
  phone: text().notNull().default(''),
  remark: text().notNull().default(''),
  passwordHash: text().notNull(),
  status: text().$type<'active' | 'disabled'>().notNull().default('active'),
  sessionEpoch: integer().notNull().default(1),
  lastLoginIp: text().notNull().default(''),
  lastLoginAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Failed sign-ins by account or address, in a window that starts with the first. */
export const signInAttempt = pgTable('sign_in_attempt', {
  key: text().primaryKey(),
  failed: integer().notNull(),
  windowStart: moment().notNull(),
});

export const area = pgTable('area', {
  id: id(),
  name: text().notNull().unique('area_name_unique'),
  description: text().notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const lineGroup = pgTable('line_group', {
  id: id(),
  name: text().notNull().unique('line_group_name_unique'),
  description: text().notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const node = pgTable(
  'node',
  {
    id: id(),
    name: text().notNull().unique('node_name_unique'),
    areaId: integer()
      .notNull()
      .references(() => area.id),
    appId: text().notNull().unique(),
    /** Encrypted by `secrets.ts`: the signature check needs it in clear. */
    appSecret: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** Raised when the line groups of the node change: the agent then pulls from nothing. */
    generation: integer().notNull().default(1),
    state: jsonb().$type<NodeState>(),
    statusTime: moment(),
    /** Log lines that were not taken, for they were of sites that the node does not serve. */
    logLinesForeign: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.areaId)],
);

export const nodeIp = pgTable(
  'node_ip',
  {
    id: id(),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    ip: text().notNull().unique('node_ip_ip_unique'),
    enabled: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.nodeId)],
);

export const nodeLineGroup = pgTable(
  'node_line_group',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.lineGroupId] }), index().on(table.lineGroupId)],
);

/** Nonces seen within the signature window. */
export const nodeNonce = pgTable(
  'node_nonce',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    nonce: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.nonce] }), index().on(table.expiresAt)],
);

export const product = pgTable('product', {
  id: id(),
  name: text().notNull().unique('product_name_unique'),
  description: text().notNull().default(''),
  lineGroupId: integer()
    .notNull()
    .references(() => lineGroup.id),
  prices: jsonb().$type<z.infer<typeof prices>>().notNull(),
  limits: jsonb().$type<z.infer<typeof productLimits>>().notNull(),
  stock: integer(),
  delisted: boolean().notNull().default(false),
  prompts: text().notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const order = pgTable(
  'order',
  {
    id: id(),
    orderNo: text().notNull().unique(),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    productId: integer()
      .notNull()
      .references(() => product.id),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id),
    anotherName: text().notNull().default(''),
    notes: text().notNull().default(''),
    cycle: text().$type<Cycle>().notNull(),
    price: bigint({ mode: 'number' }).notNull(),
    /** `expired` is not stored: it follows from `end_at`, which is in the year 9999 where there is no end. */
    status: text().$type<'active' | 'suspended' | 'cancelled'>().notNull().default('active'),
    startAt: moment().notNull(),
    endAt: moment().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.clientId), index().on(table.productId), index().on(table.lineGroupId)],
);

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

export const siteRevision = pgTable(
  'site_revision',
  {
    id: id(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    section: text().notNull(),
    authorType: text().$type<'admin' | 'client' | 'system'>().notNull(),
    authorId: integer(),
    authorName: text().notNull(),
    snapshot: siteConfig().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.siteId, table.version), index().on(table.createdAt)],
);

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

export const operationLog = pgTable(
  'operation_log',
  {
    id: id(),
    requestId: text().notNull(),
    userType: text().$type<'admin' | 'client' | 'unknown'>().notNull(),
    userId: integer(),
    userName: text().notNull().default(''),
    ip: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    status: integer().notNull(),
    query: text().notNull().default(''),
    requestBody: text().notNull().default(''),
    responseBody: text().notNull().default(''),
    durationMs: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.createdAt),
    index().on(table.userType, table.userId),
    index().on(table.requestId),
  ],
);

export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: updatedAt(),
});
