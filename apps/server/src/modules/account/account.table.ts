import type { Permission } from '@breakwater/contract';
import { bigint, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, moment, sealed, version } from '../../db/columns.ts';
import { adminUser } from '../admin-user/admin-user.table.ts';
import { client } from '../client/client.table.ts';
import { member } from '../member/member.table.ts';

/** Failed sign-ins by account or address, in a window that starts with the first. */
export const signInAttempt = pgTable('sign_in_attempt', {
  key: text().primaryKey(),
  failed: integer().notNull(),
  windowStart: moment().notNull(),
});

/** Whose it is: one of the three is set. What is an account's goes with it. */
const owner = () => ({
  adminUserId: integer().references(() => adminUser.id, { onDelete: 'cascade' }),
  clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
  memberId: integer().references(() => member.id, { onDelete: 'cascade' }),
});

/** Every token of a sign-in names one; without its row it is worth nothing. */
export const accountSession = pgTable(
  'account_session',
  {
    id: uuid().primaryKey().defaultRandom(),
    ...owner(),
    userAgent: text().notNull(),
    ip: text().notNull(),
    lastUsedAt: moment().notNull().defaultNow(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    index().on(table.adminUserId),
    index().on(table.clientId),
    index().on(table.memberId),
    index().on(table.expiresAt),
  ],
);

/** The key of an authenticator app (RFC 6238), of an account at most one. */
export const twoFactor = pgTable(
  'two_factor',
  {
    id: id(),
    ...owner(),
    /** base32. */
    secret: sealed().notNull(),
    /** Null until a code of it was seen: sign-ins do not ask for it yet. */
    enabledAt: moment(),
    /** The time step of the last code that was accepted: no code up to it is accepted again (RFC 6238 §5.2). */
    lastStep: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [unique().on(table.adminUserId), unique().on(table.clientId), unique().on(table.memberId)],
);

/** Those that are left: one that was used is gone. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    id: id(),
    ...owner(),
    /** SHA-256; the codes are random enough to need nothing slower. */
    hash: text().notNull(),
  },
  (table) => [index().on(table.adminUserId), index().on(table.clientId), index().on(table.memberId)],
);

export const apiToken = pgTable(
  'api_token',
  {
    id: id(),
    ...owner(),
    name: text().notNull(),
    hint: text().notNull(),
    /** SHA-256 of the token. */
    hash: text().notNull().unique(),
    permissions: text().array().$type<Permission[]>().notNull(),
    networks: text().array().notNull().default([]),
    /** No references: with its last site a token is to lose all, not to gain all. */
    siteIds: integer().array().notNull().default([]),
    expiresAt: moment(),
    lastUsedAt: moment(),
    lastUsedIp: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.adminUserId), index().on(table.clientId), index().on(table.memberId)],
);

/** A credential of WebAuthn. */
export const passkey = pgTable(
  'passkey',
  {
    id: id(),
    ...owner(),
    name: text().notNull(),
    /** base64url, as the authenticator chose it. */
    credentialId: text().notNull().unique(),
    /** COSE. */
    publicKey: bytes().notNull(),
    /** Grows with each use, or stays 0 where the authenticator does not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull().default([]),
    /** The host it was made for: browsers offer it there and nowhere else. */
    relyingParty: text().notNull(),
    lastUsedAt: moment(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.adminUserId), index().on(table.clientId), index().on(table.memberId)],
);

/** Challenges of WebAuthn that were answered, until they are over: no answer counts twice. */
export const usedChallenge = pgTable('used_challenge', {
  challenge: text().primaryKey(),
  expiresAt: moment().notNull(),
});
