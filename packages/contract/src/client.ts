import * as z from 'zod';
import { dateTime, email, idParams, inputText, name, nothing, optionalText, password } from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';

export const clientStatuses = ['active', 'disabled'] as const;
const fields = {
  name,
  email,
  phone: inputText().trim().max(30).default(''),
  remark: inputText().trim().max(500).default(''),
  status: z.enum(clientStatuses).default('active'),
};
export const clientInput = z.strictObject(fields);
export const clientCreateInput = z.strictObject({ ...fields, password });
export const client = entity({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  remark: z.string(),
  status: z.enum(clientStatuses),
  two_factor: z.boolean(),
  order_count: z.int(),
  site_count: z.int(),
  last_login_ip: z.string(),
  last_login_at: dateTime.nullable(),
});
export type Client = z.infer<typeof client>;

export const clientRoutes = defineRoutes({
  ...crudRoutes('Client', 'Clients', {
    path: 'client',
    owner: 'platform',
    permission: 'client',
    input: clientInput,
    createInput: clientCreateInput,
    item: client,
    filters: { name: optionalText, email: optionalText, status: z.enum(clientStatuses).optional() },
    summaries: {
      list: 'List customers, newest first.',
      get: 'Get a customer.',
      create: 'Create a customer.',
      update:
        'Change a customer. Disabling a customer ends their sessions and suspends their sites until the customer is enabled again.',
      remove: 'Delete a customer who has no orders.',
    },
  }),
  changeClientPassword: {
    method: 'PUT',
    path: '/prod-api/client/{id}/password',
    summary: 'Reset the password of a customer and end their sessions.',
    access: { kind: 'admin', permission: 'client.password' },
    params: idParams,
    body: z.strictObject({ password }),
    response: nothing,
  },
  resetClientTwoFactor: {
    method: 'DELETE',
    path: '/prod-api/client/{id}/two_factor',
    summary: 'Disable two-factor authentication of a customer, delete their passkeys and end their sessions.',
    access: { kind: 'admin', permission: 'client.password' },
    params: idParams,
    response: nothing,
  },
});
