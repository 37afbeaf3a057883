import { randomBytes } from 'node:crypto';
import type { ApiClient } from './api-client.ts';
import type { World } from './world.ts';

/** Things a test needs and does not care about, made through the API, with names of their own. */

export const unique = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

export interface Customer {
  id: number;
  orderId: number;
  email: string;
  password: string;
  /** Signed in on the user port. */
  api: ApiClient;
}

/** A customer with an active order of the first product, signed in. */
export async function makeCustomer(world: World): Promise<Customer> {
  const email = `${unique('customer')}@example.com`;
  const password = 'a long password';
  const { id } = await world.admin.get('createClient', {
    body: { name: unique('Customer'), email, password },
  });
  const { list } = await world.admin.get('listProducts', { query: {} });
  const product = list[0]!;
  const order = await world.admin.get('createOrder', {
    body: { client_id: id, product_id: product.id, cycle: 'month' },
  });
  return { id, orderId: order.id, email, password, api: await world.signInClient(email, password) };
}

/** A node in an area of its own. Its agent is not there. */
export async function makeNode(world: World, input: { ip: string; name?: string }) {
  const { id: area_id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
  const { ip, name = unique('node') } = input;
  return world.admin.get('createNode', { body: { name, area_id, ip } });
}

/** A site with one origin on the loopback. */
export async function makeSite(
  api: ApiClient,
  input: { domain?: string; port?: number; orderId?: number } = {},
): Promise<{ id: number; domain: string; taskId: number }> {
  const domain = input.domain ?? `${unique('www')}.example.com`;
  const { id, task_id: taskId } = await api.get('createSite', {
    body: {
      domains: [domain],
      origin: '127.0.0.1',
      origin_port: input.port ?? 9,
      ...(input.orderId === undefined ? {} : { order_id: input.orderId }),
    },
  });
  return { id, domain, taskId };
}
