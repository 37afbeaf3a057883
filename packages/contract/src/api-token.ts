import * as z from 'zod';
import { typedPassword } from './auth.ts';
import { dateTime, id, idParams, ipOrCidr, listOf, listQuery, name, nothing, time } from './common.ts';
import { defineRoutes } from './define.ts';
import { permissions, type Permission } from './permissions.ts';
import { secret } from './secret.ts';

/** Every token begins with it, so that scanners of code and logs find those that leaked. */
export const apiTokenPrefix = 'bw_';

const permissionName = z.enum(Object.keys(permissions) as Permission[]);
const fields = {
  name,
  /** A part of what one holds; with each request the token has what of it one still holds. */
  permissions: z.array(permissionName).min(1).max(1000),
  /** Null: until it is deleted. */
  expires_at: time.nullable().default(null),
  /** Addresses and networks (CIDR) that it is taken from; none: from everywhere. */
  networks: z.array(ipOrCidr).max(50).default([]),
  /** Sites that it is limited to, whatever becomes of them; none: all that its owner reaches. */
  site_ids: z.array(id).max(200).default([]),
};
export const apiTokenInput = z.strictObject({ ...fields, password: typedPassword });
export const apiToken = z.strictObject({
  id,
  name: z.string(),
  /** How the token begins. */
  hint: z.string(),
  permissions: z.array(permissionName),
  expires_at: dateTime.nullable(),
  networks: z.array(z.string()),
  site_ids: z.array(id),
  /** Exact to a minute. */
  last_used_at: dateTime.nullable(),
  last_used_ip: z.string(),
  created_at: dateTime,
});
export type ApiToken = z.infer<typeof apiToken>;

const own = { kind: 'signed_in', tokens: false } as const;

export const apiTokenRoutes = defineRoutes({
  listApiTokens: {
    method: 'GET',
    path: '/prod-api/account/token',
    summary: 'List your API tokens, newest first.',
    access: own,
    query: listQuery({}),
    response: listOf(apiToken),
  },
  createApiToken: {
    method: 'POST',
    path: '/prod-api/account/token',
    summary: 'Create an API token with a subset of your permissions. The token is returned only once.',
    access: own,
    body: apiTokenInput,
    response: z.strictObject({ id, token: secret(z.string()) }),
  },
  removeApiToken: {
    method: 'DELETE',
    path: '/prod-api/account/token/{id}',
    summary: 'Delete one of your API tokens. It stops working immediately.',
    access: own,
    params: idParams,
    response: nothing,
  },
});
