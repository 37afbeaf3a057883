import { apiTokenPrefix, tokenPermissions, type ApiToken, type apiTokenInput } from '@breakwater/contract';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { apiToken, site } from '../../db/schema.ts';
import { changesOf } from '../../events/record-event.ts';
import { hashToken, scopeOf, type Session } from '../../plugins/session.ts';
import { owned } from '../../scope.ts';
import { recordOwn } from './account-event.ts';
import { ownedBy, ownerColumns, type Account } from './session.store.ts';

const tokensMax = 100;
const hintLength = apiTokenPrefix.length + 4;

export async function listApiTokens(
  db: Db,
  account: Account,
  query: { current_page: number; page_size: number },
) {
  const where = ownedBy(apiToken, account);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(apiToken).where(where).orderBy(desc(apiToken.id)).limit(limit).offset(offset),
    db.$count(apiToken, where),
  ]);
  return listPage(query, rows.map(present), total);
}

/** Answers the token, of which only the hash is kept. Throws an issue for what its owner does not hold. */
export async function createApiToken(
  db: Db,
  owner: Session,
  input: Omit<z.infer<typeof apiTokenInput>, 'password'>,
): Promise<{ id: number; token: string }> {
  const grantable = owner.permissions.intersection(new Set(tokenPermissions));
  if (input.permissions.some((name) => !grantable.has(name)))
    throw invalid('permissions', 'token_permission');
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalid('expires_at', 'date_past');
  if ((await db.$count(apiToken, ownedBy(apiToken, owner))) >= tokensMax) throw new ApiError('too_many');
  const token = apiTokenPrefix + randomBytes(32).toString('base64url');
  const permissions = [...new Set(input.permissions)];
  const siteIds = [...new Set(input.site_ids)];
  const reached = await db.$count(site, and(inArray(site.id, siteIds), owned(site, scopeOf(owner))));
  if (reached < siteIds.length) throw invalid('site_ids', 'does_not_exist');
  const { name, networks } = input;
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(apiToken)
      .values({
        ...ownerColumns(owner),
        name,
        hint: token.slice(0, hintLength),
        hash: hashToken(token),
        permissions,
        networks,
        siteIds,
        expiresAt,
      })
      .returning({ id: apiToken.id });
    await recordOwn(tx, owner, 'token_created', {
      facts: { token: name },
      changes: changesOf(undefined, { permissions, networks, site_ids: siteIds }),
    });
    return { id: row!.id, token };
  });
}

export async function removeApiToken(db: Db, account: Session, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(apiToken)
      .where(and(ownedBy(apiToken, account), eq(apiToken.id, id)))
      .returning({ name: apiToken.name });
    if (!row) throw notFound();
    await recordOwn(tx, account, 'token_removed', { facts: { token: row.name } });
  });
}

function present(row: typeof apiToken.$inferSelect): ApiToken {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    permissions: tokenPermissions.filter((name) => row.permissions.includes(name)),
    expires_at: isoOrNull(row.expiresAt),
    networks: row.networks,
    site_ids: row.siteIds,
    last_used_at: isoOrNull(row.lastUsedAt),
    last_used_ip: row.lastUsedIp,
    created_at: iso(row.createdAt),
  };
}
