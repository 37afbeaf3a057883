import * as z from 'zod';
import {
  dateTime,
  email,
  id,
  idParams,
  name,
  nothing,
  optionalIdText,
  optionalText,
  password,
} from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { userPermissions } from './permissions.ts';

/** People who sign in to a customer's account with permissions of their own. */

/** One customer has so many. */
export const membersMax = 100;

const fields = {
  name,
  /** They sign in with it: no customer and no other member has it. */
  email,
  /** Nothing that whoever gives them does not hold. */
  permissions: z.array(z.enum(userPermissions)).max(1000),
  /** Sites that they are limited to, whatever becomes of them; none: all that the customer has. */
  site_ids: z.array(id).max(200).default([]),
  enabled: z.boolean().default(true),
};
export const memberInput = z.strictObject(fields);
/** `client_id` is for administrators; a customer's is their own. */
export const memberCreateInput = z.strictObject({ ...fields, password, client_id: id.optional() });
export const member = entity({
  client_id: id,
  client_name: z.string(),
  name: z.string(),
  email: z.string(),
  permissions: z.array(z.enum(userPermissions)),
  site_ids: z.array(id),
  /** Those of them that are there. */
  sites: z.array(z.strictObject({ id, domain: z.string() })),
  enabled: z.boolean(),
  two_factor: z.boolean(),
  last_login_ip: z.string(),
  last_login_at: dateTime.nullable(),
});
export type Member = z.infer<typeof member>;

export const memberRoutes = defineRoutes({
  ...crudRoutes('Member', 'Members', {
    path: 'member',
    owner: 'client',
    permission: 'member',
    input: memberInput,
    createInput: memberCreateInput,
    item: member,
    filters: {
      name: optionalText,
      email: optionalText,
      enabled: z.enum(['yes', 'no']).optional(),
      client_id: optionalIdText,
    },
    summaries: {
      list: 'List the members of a customer account, newest first.',
      create: 'Add a member to a customer account. You can only grant permissions that you have yourself.',
      update: 'Change a member whose permissions you have as well. Disabling a member ends their sessions.',
      remove: 'Delete a member and end their sessions. What they created is kept.',
    },
  }),
  changeMemberPassword: {
    method: 'PUT',
    path: '/prod-api/member/{id}/password',
    summary: 'Reset the password of a member and end their sessions.',
    access: { kind: 'both', permission: 'member.password' },
    params: idParams,
    body: z.strictObject({ password }),
    response: nothing,
  },
  resetMemberTwoFactor: {
    method: 'DELETE',
    path: '/prod-api/member/{id}/two_factor',
    summary: 'Disable two-factor authentication of a member, delete their passkeys and end their sessions.',
    access: { kind: 'both', permission: 'member.password' },
    params: idParams,
    response: nothing,
  },
});
