import * as z from 'zod';
import {
  created,
  dateTime,
  email,
  id,
  idParams,
  listOf,
  listQuery,
  name,
  nothing,
  optionalText,
  password,
  inputText,
} from './common.ts';
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
export const client = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  remark: z.string(),
  status: z.enum(clientStatuses),
  order_count: z.int(),
  site_count: z.int(),
  last_login_ip: z.string(),
  last_login_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Client = z.infer<typeof client>;

export const clientRoutes = defineRoutes({
  listClients: {
    method: 'GET',
    path: '/prod-api/client',
    summary: 'Customers, newest first.',
    access: { kind: 'admin', permission: 'client.read' },
    query: listQuery({ name: optionalText, email: optionalText, status: z.enum(clientStatuses).optional() }),
    response: listOf(client),
  },
  getClient: {
    method: 'GET',
    path: '/prod-api/client/{id}',
    summary: 'One customer.',
    access: { kind: 'admin', permission: 'client.read' },
    params: idParams,
    response: client,
  },
  createClient: {
    method: 'POST',
    path: '/prod-api/client',
    summary: 'Create a customer.',
    access: { kind: 'admin', permission: 'client.write' },
    body: clientCreateInput,
    response: created,
  },
  updateClient: {
    method: 'PUT',
    path: '/prod-api/client/{id}',
    summary:
      'Change a customer. Disabling one ends their sessions and suspends their sites until they are enabled again.',
    access: { kind: 'admin', permission: 'client.write' },
    params: idParams,
    body: clientInput,
    response: nothing,
  },
  changeClientPassword: {
    method: 'PUT',
    path: '/prod-api/client/{id}/password',
    summary: 'Set a new password for a customer and end their sessions.',
    access: { kind: 'admin', permission: 'client.password' },
    params: idParams,
    body: z.strictObject({ password }),
    response: nothing,
  },
  removeClient: {
    method: 'DELETE',
    path: '/prod-api/client/{id}',
    summary: 'Delete a customer who has no orders.',
    access: { kind: 'admin', permission: 'client.delete' },
    params: idParams,
    response: nothing,
  },
});
