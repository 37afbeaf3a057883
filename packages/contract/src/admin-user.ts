import * as z from 'zod';
import { shownGroup } from './auth.ts';
import {
  chosenIds,
  created,
  dateTime,
  description,
  email,
  id,
  idParams,
  inputText,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  password,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { adminPermissions } from './permissions.ts';
import { looksLikeEmail } from './sign-in-name.ts';

const fields = {
  /** Not an e-mail address: by that the sign-in page tells customers from administrators. */
  username: inputText()
    .trim()
    .min(1)
    .max(100)
    .refine((text) => !looksLikeEmail(text), { error: 'username_email' }),
  name: inputText().trim().max(100).default(''),
  email: z.union([z.literal(''), email]).default(''),
  group_id: id,
  enabled: z.boolean().default(true),
};
export const adminUserInput = z.strictObject(fields);
export const adminUserCreateInput = z.strictObject({ ...fields, password });
export const adminUserUpdateInput = z.strictObject({ ...fields, version });
export const adminUser = z.strictObject({
  id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  group_id: id,
  group: shownGroup,
  enabled: z.boolean(),
  two_factor: z.boolean(),
  /** Whether it holds something that who asks does not hold, who may not change it then. */
  beyond: z.boolean(),
  last_login_ip: z.string(),
  last_login_at: dateTime.nullable(),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type AdminUser = z.infer<typeof adminUser>;

const groupFields = {
  name,
  description: description.optional(),
  permissions: z.array(z.enum(adminPermissions)).max(1000),
};
export const adminGroupInput = z.strictObject(groupFields);
export const adminGroupUpdateInput = z.strictObject({ ...groupFields, version });
export const adminGroup = z.strictObject({
  id,
  ...shownGroup.shape,
  /** Null: as shipped, like the name. */
  description: z.string().nullable(),
  permissions: z.array(z.enum(adminPermissions)),
  user_count: z.int(),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type AdminGroup = z.infer<typeof adminGroup>;

const reader = { kind: 'admin', permission: 'admin_user.read' } as const;
const userEditor = { kind: 'admin', permission: 'admin_user.write' } as const;
const groupEditor = { kind: 'admin', permission: 'admin_user.group' } as const;

export const adminUserRoutes = defineRoutes({
  listAdminUsers: {
    method: 'GET',
    path: '/prod-api/user',
    summary: 'List administrators by username.',
    access: reader,
    query: listQuery({
      username: optionalText,
      group_id: optionalIdText,
      enabled: z.enum(['yes', 'no']).optional(),
    }),
    response: listOf(adminUser),
  },
  getAdminUser: {
    method: 'GET',
    path: '/prod-api/user/{id}',
    summary: 'Get an administrator.',
    access: reader,
    params: idParams,
    response: adminUser,
  },
  createAdminUser: {
    method: 'POST',
    path: '/prod-api/user',
    summary: 'Create an administrator in a group whose permissions you have as well.',
    access: userEditor,
    body: adminUserCreateInput,
    response: created,
  },
  updateAdminUser: {
    method: 'PUT',
    path: '/prod-api/user/{id}',
    summary: 'Change an administrator. Disabling an administrator ends their sessions.',
    access: userEditor,
    params: idParams,
    body: adminUserUpdateInput,
    response: nothing,
  },
  changeAdminPassword: {
    method: 'PUT',
    path: '/prod-api/user/{id}/password',
    summary: 'Reset the password of another administrator and end their sessions.',
    access: userEditor,
    params: idParams,
    body: z.strictObject({ password }),
    response: nothing,
  },
  resetAdminTwoFactor: {
    method: 'DELETE',
    path: '/prod-api/user/{id}/two_factor',
    summary:
      'Disable two-factor authentication of an administrator, delete their passkeys and end their sessions.',
    access: userEditor,
    params: idParams,
    response: nothing,
  },
  removeAdminUser: {
    method: 'DELETE',
    path: '/prod-api/user/{id}',
    summary: 'Delete an administrator and end their sessions.',
    access: userEditor,
    params: idParams,
    response: nothing,
  },
});

export const adminGroupRoutes = defineRoutes({
  listAdminGroups: {
    method: 'GET',
    path: '/prod-api/user_group',
    summary: 'List administrator groups with their permissions, built-in groups first.',
    access: reader,
    query: listQuery({
      ids: chosenIds,
      /** Part of the name; of a built-in group in either language. */
      name: optionalText,
    }),
    response: listOf(adminGroup),
  },
  getAdminGroup: {
    method: 'GET',
    path: '/prod-api/user_group/{id}',
    summary: 'Get an administrator group.',
    access: reader,
    params: idParams,
    response: adminGroup,
  },
  createAdminGroup: {
    method: 'POST',
    path: '/prod-api/user_group',
    summary: 'Create an administrator group. You can only grant permissions that you have yourself.',
    access: groupEditor,
    body: adminGroupInput,
    response: created,
  },
  updateAdminGroup: {
    method: 'PUT',
    path: '/prod-api/user_group/{id}',
    summary:
      'Change an administrator group whose permissions you have as well. It applies to all of its members immediately.',
    access: groupEditor,
    params: idParams,
    body: adminGroupUpdateInput,
    response: nothing,
  },
  removeAdminGroup: {
    method: 'DELETE',
    path: '/prod-api/user_group/{id}',
    summary: 'Delete an administrator group that has no members.',
    access: groupEditor,
    params: idParams,
    response: nothing,
  },
});
