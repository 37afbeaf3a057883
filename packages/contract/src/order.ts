import * as z from 'zod';
import {
  chosenIds,
  count,
  created,
  dateTime,
  id,
  idParams,
  listOf,
  listQuery,
  money,
  nothing,
  optionalIdText,
  optionalText,
  inputText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { cycles } from './product.ts';

/** `active` until `end_at`, `expired` after it. Suspended and cancelled are said by an operator. */
export const orderStatuses = ['active', 'expired', 'suspended', 'cancelled'] as const;

export const orderInput = z.strictObject({
  client_id: id,
  product_id: id,
  cycle: z.enum(cycles),
  another_name: inputText().trim().max(100).default(''),
  notes: inputText().trim().max(1000).default(''),
});
/** What is changed of one that was sold. */
export const orderTexts = orderInput.pick({ another_name: true, notes: true });
/** Where its sites are to be. */
export const orderMoveInput = z.strictObject({ line_group_id: id });
export const order = z.strictObject({
  id,
  order_no: z.string(),
  client_id: id,
  client_name: z.string(),
  product_id: id,
  product_name: z.string(),
  line_group_id: id,
  line_group_name: z.string(),
  another_name: z.string(),
  notes: z.string(),
  cycle: z.enum(cycles),
  /** The price at the time of sale. */
  price: money,
  status: z.enum(orderStatuses),
  site_count: z.int(),
  /** Those that its line group does not serve yet: they are still to move. */
  sites_elsewhere: count,
  start_at: dateTime,
  /** Null: it has no end. */
  end_at: dateTime.nullable(),
  version,
  created_at: dateTime,
});
export type Order = z.infer<typeof order>;

export const orderRoutes = defineRoutes({
  listOrders: {
    method: 'GET',
    path: '/prod-api/order',
    summary: 'List orders, newest first by default.',
    access: { kind: 'both', permission: 'order.read' },
    query: listQuery({
      ids: chosenIds,
      product_id: optionalIdText,
      client_id: optionalIdText,
      username: optionalText,
      /** Part of the number, of the order's own name or of the customer's name. */
      keyword: optionalText,
      cycle: z.enum(cycles).optional(),
      status: z.enum(orderStatuses).optional(),
      sort_by: z.enum(['created_at', 'end_at', 'price']).default('created_at'),
      sort_order: z.enum(['asc', 'desc']).default('desc'),
    }),
    response: listOf(order),
  },
  getOrder: {
    method: 'GET',
    path: '/prod-api/order/{id}',
    summary: 'Get an order.',
    access: { kind: 'both', permission: 'order.read' },
    params: idParams,
    response: order,
  },
  createOrder: {
    method: 'POST',
    path: '/prod-api/order',
    summary: 'Create an order for a customer. It is active immediately.',
    access: { kind: 'admin', permission: 'order.write' },
    body: orderInput,
    response: created,
  },
  updateOrderNotes: {
    method: 'PUT',
    path: '/prod-api/order/{id}/notes',
    summary: 'Change the name and notes of an order.',
    access: { kind: 'admin', permission: 'order.write' },
    params: idParams,
    body: orderTexts.extend({ version }),
    response: nothing,
  },
  updateOrderAnotherName: {
    method: 'PUT',
    path: '/prod-api/order/{id}/another_name',
    summary: 'Rename an order. The version the change is based on can be sent with it.',
    access: { kind: 'admin', permission: 'order.write' },
    params: idParams,
    body: z.strictObject({ another_name: inputText().trim().max(100), version: version.optional() }),
    response: nothing,
  },
  changeOrderLineGroup: {
    method: 'PUT',
    path: '/prod-api/order/{id}/line_group',
    summary:
      'Move an order to another line group. New sites use it immediately; existing sites move one by one. A move that is still running is replaced.',
    access: { kind: 'admin', permission: 'order.move' },
    params: idParams,
    body: orderMoveInput.extend({ version: version.optional() }),
    /** The task that moves them, and how many it moves; null where none is elsewhere. */
    response: z.strictObject({
      task_id: id.nullable(),
      sites: count,
      /** Domains of the order that the line group does not serve, for they have no confirmed filing number; 100 at most. */
      unfiled_domains: z.array(z.string()).max(100),
    }),
  },
  removeOrder: {
    method: 'DELETE',
    path: '/prod-api/order/{id}',
    summary: 'Delete an order that has no sites.',
    access: { kind: 'admin', permission: 'order.delete' },
    params: idParams,
    response: nothing,
  },
});
