import { randomBytes } from 'node:crypto';
import type { AdminPermission, NodeState, SiteFile, UserPermission } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
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

export interface Member {
  id: number;
  email: string;
  password: string;
  /** Signed in on the user port. */
  api: ApiClient;
}

/** A member of a customer's account, made by one who may, signed in. */
export async function makeMember(
  world: World,
  by: ApiClient,
  permissions: readonly UserPermission[],
  siteIds: readonly number[] = [],
): Promise<Member> {
  const email = `${unique('member')}@example.com`;
  const password = 'a long password';
  const { id } = await by.get('createMember', {
    body: { name: unique('Member'), email, password, permissions: [...permissions], site_ids: [...siteIds] },
  });
  return { id, email, password, api: await world.signInClient(email, password) };
}

export interface Administrator {
  id: number;
  groupId: number;
  username: string;
  password: string;
  api: ApiClient;
}

/** An administrator who holds these, in a group of their own, signed in. */
export async function makeAdministrator(
  world: World,
  permissions: readonly AdminPermission[],
): Promise<Administrator> {
  const body = { name: unique('Group'), permissions: [...permissions] };
  const { id: groupId } = await world.admin.get('createAdminGroup', { body });
  return makeAdministratorIn(world, groupId);
}

/** An administrator of a group, signed in. */
export async function makeAdministratorIn(world: World, groupId: number): Promise<Administrator> {
  const username = unique('administrator');
  const password = 'a long password';
  const { id } = await world.admin.get('createAdminUser', {
    body: { username, password, group_id: groupId },
  });
  return { id, groupId, username, password, api: await world.signInAdmin(username, password) };
}

/** A node in an area of its own. Its agent is not there. */
export async function makeNode(world: World, input: { ip: string; name?: string }) {
  const { id: area_id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
  const { ip, name = unique('node') } = input;
  return world.admin.get('createNode', { body: { name, area_id, ip } });
}

/** What an agent reports of a node where nothing goes on, but for `parts`. */
export function makeNodeState(parts: Partial<NodeState> = {}): NodeState {
  return {
    version: '0',
    nginx_version: '',
    nginx_running: true,
    brotli: false,
    instance_id: '',
    uptime_seconds: 0,
    cpu_share: 0,
    memory_total: 0,
    memory_used: 0,
    disk_total: 0,
    disk_used: 0,
    processors: 2,
    load: 1.5,
    network_in: 0,
    network_out: 0,
    connections: 0,
    documents: 0,
    log_backlog: 0,
    log_dropped: 0,
    error_log_lines: 0,
    clock_ahead_seconds: 0,
    http_ports: [],
    https_ports: [],
    extra_ports: [],
    ipv6: false,
    http3: false,
    ...parts,
  };
}

/** A site with one origin on the loopback, and the certificates that are named. */
export async function makeSite(
  api: ApiClient,
  input: { domain?: string; port?: number; orderId?: number; certificateIds?: number[] } = {},
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
  if (input.certificateIds)
    await api.get('updateCertificateSettings', {
      query: { site_id: id },
      body: { version: 1, value: { certificate_ids: input.certificateIds } },
    });
  return { id, domain, taskId };
}

/**
 * Gives a site a cache rule that nodes refuse: its expression has a lookbehind without a fixed length. The contract takes
 * none today, so it is stored as an earlier one did, and goes out with a change of another section.
 */
export async function saveRefusedRules(world: World, siteId: number): Promise<{ task_id: number | null }> {
  const rules = [
    {
      type: 'regex',
      content: ['(?<=a+)b'],
      action: 'cache',
      ttl_seconds: 60,
      query_policy: 'all',
      query_names: [],
      enabled: true,
    },
  ];
  await world.server.services.db.execute(
    sql`UPDATE site SET config = jsonb_set(config, '{cache_rule}', ${JSON.stringify({ rules })}::jsonb) WHERE id = ${siteId}`,
  );
  const query = { site_id: siteId };
  const { version, value } = await world.admin.get('getSpeedOptimize', { query });
  return world.admin.get('updateSpeedOptimize', {
    query,
    body: { version, value: { ...value, gzip: !value.gzip } },
  });
}

/** A site as its file says it. */
export async function exportSite(api: ApiClient, id: number): Promise<SiteFile> {
  return JSON.parse((await api.download('exportSite', { params: { id } })).text) as SiteFile;
}
