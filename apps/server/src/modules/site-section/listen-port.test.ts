import { Authority } from '@breakwater/test-world/authority';
import {
  makeCustomer,
  makeSite,
  saveSetting,
  startWorld,
  trySetting,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { nodeState, sitePortDefault, type ListenPort } from '@breakwater/contract';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, node, product } from '../../db/schema.ts';
import { workThrough } from '../../jobs/test-work.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const none: ListenPort = { http_ports: [], https_ports: [] };
const save = async (siteId: number, value: Partial<ListenPort>, api = customer.api) => {
  const query = { site_id: siteId };
  const { version } = await customer.api.get('getListenPort', { query });
  return api.call('updateListenPort', { query, body: { version, value: { ...none, ...value } } });
};
const documentOf = async (id: number) => {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(id))));
  return JSON.parse(row!.body) as Record<string, unknown>;
};

describe('ports of a site', () => {
  it('travel to its nodes, and leave no trace where there are none', async () => {
    const site = await makeSite(customer.api);
    expect(await documentOf(site.id)).not.toHaveProperty('listen_port');
    expect(await save(site.id, { http_ports: [8080], https_ports: [8443] })).toMatchObject({ status: 200 });
    expect(await documentOf(site.id)).toMatchObject({
      listen_port: { http_ports: [8080], https_ports: [8443] },
    });
    await save(site.id, {});
    expect(await documentOf(site.id)).not.toHaveProperty('listen_port');
  });

  it.each([
    ['a denied one', { http_ports: [22] }, 'value.http_ports.0'],
    ['one that browsers refuse', { https_ports: [8443, 6667] }, 'value.https_ports.1'],
    ['one twice', { http_ports: [8081], https_ports: [8081] }, 'value.https_ports.0'],
    ['none at all', { http_ports: [0] }, 'value.http_ports.0'],
    ['one too many bits', { http_ports: [65_536] }, 'value.http_ports.0'],
  ])('are refused: %s', async (_, value, path) => {
    const site = await makeSite(customer.api);
    expect(await save(site.id, value)).toMatchObject({ status: 400, errors: [{ path }] });
  });

  it('are refused where the nodes answer anyway, or another site has them for the other protocol', async () => {
    const { db } = world.server.services;
    const [one, two] = [await makeSite(customer.api), await makeSite(customer.api)];
    await save(one.id, { http_ports: [9001] });
    expect(await save(two.id, { https_ports: [9001] })).toMatchObject({
      status: 400,
      errors: [
        {
          path: 'value.https_ports.0',
          message: 'Another site of this line group already uses this port for a different protocol',
        },
      ],
    });
    expect(await save(two.id, { http_ports: [9001] })).toMatchObject({ status: 200 });
    await db.update(node).set({ state: { ...emptyState, http_ports: [9002] } });
    const own = await save(two.id, { http_ports: [9001, 9002] });
    expect(own).toMatchObject({ status: 400, errors: [{ path: 'value.http_ports.1' }] });
    const range = await customer.api.get('getSitePortRange', { params: { id: two.id } });
    expect(range).toMatchObject({ node_http_ports: [9002], nodes_total: 1, nodes_ipv6: 1, nodes_http3: 0 });
  });

  it('are looked at again in the line group that an order moves to', async () => {
    const { db } = world.server.services;
    await db.update(node).set({ state: { ...emptyState, http_ports: [80] } });
    const group = await world.admin.get('createLineGroup', { body: { name: unique('group') } });
    const mover = await makeCustomer(world);
    const there = await makeCustomer(world);
    const orderOf = async (api: Customer['api'], id: number) =>
      (await api.get('getSite', { params: { id } })).order_id;
    const [moving, standing] = [await makeSite(mover.api), await makeSite(there.api)];
    const move = async (id: number, lineGroupId: number) => {
      const call = { params: { id }, body: { line_group_id: lineGroupId } };
      const answer = await world.admin.call('changeOrderLineGroup', call);
      if (answer.status === 200) await workThrough(world.server.services, answer.data.task_id!);
      return answer;
    };
    expect(await move(await orderOf(there.api, standing.id), group.id)).toMatchObject({ status: 200 });
    const put = async (id: number, value: object) => {
      const query = { site_id: id };
      const { version } = await world.admin.get('getListenPort', { query });
      return world.admin.get('updateListenPort', { query, body: { version, value: { ...none, ...value } } });
    };
    await put(standing.id, { http_ports: [9500] });
    await put(moving.id, { https_ports: [9500] });
    const moved = await orderOf(mover.api, moving.id);
    expect(await move(moved, group.id)).toMatchObject({
      status: 400,
      errors: [
        {
          path: 'line_group_id',
          message: `Another site of this line group already uses this port for a different protocol (${moving.domain} 9500)`,
        },
      ],
    });
    expect((await mover.api.get('getSite', { params: { id: moving.id } })).line_group_id).not.toBe(group.id);
    await put(moving.id, { http_ports: [9500] });
    expect(await move(moved, group.id)).toMatchObject({ status: 200 });
    expect((await mover.api.get('getSite', { params: { id: moving.id } })).line_group_id).toBe(group.id);
  });

  it('are found by an index among many sites', async () => {
    const plan = await world.server.services.db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL enable_seqscan = off`);
      return tx.execute(
        sql`EXPLAIN SELECT id FROM site WHERE config->'listen_port' @> '{"http_ports": [9500]}'::jsonb`,
      );
    });
    expect(JSON.stringify(plan.rows)).toContain('site_port_index');
  });

  it('hold to the limit of the product', async () => {
    const { db } = world.server.services;
    const site = await makeSite(customer.api);
    const limits = { sites: null, domains_per_site: null };
    await db.update(product).set({ limits: { ...limits, ports_per_site: 1 } });
    try {
      expect(await save(site.id, { http_ports: [9100, 9101] })).toMatchObject({ status: 409, code: 40_903 });
      expect(await save(site.id, { http_ports: [9100] })).toMatchObject({ status: 200 });
      const range = await customer.api.get('getSitePortRange', { params: { id: site.id } });
      expect(range).toMatchObject({ ports_max: 1, first: 1, last: 65_535 });
    } finally {
      await db.update(product).set({ limits: { ...limits, ports_per_site: null } });
    }
  });

  it('may be narrowed by an operator; what a site has stays', async () => {
    const site = await makeSite(customer.api);
    await save(site.id, { http_ports: [9200 - 50] });
    const narrow = { first: 20_000, last: 30_000, denied: ['25000-25999'] };
    await saveSetting(world, 'SitePortSetting', narrow);
    try {
      const range = await customer.api.get('getSitePortRange', { params: { id: site.id } });
      expect(range).toMatchObject(narrow);
      expect(await save(site.id, { http_ports: [9150, 20_000] })).toMatchObject({ status: 200 });
      for (const port of [19_999, 30_001, 25_500])
        expect(await save(site.id, { http_ports: [9150, port] })).toMatchObject({
          status: 400,
          errors: [{ path: 'value.http_ports.1', message: 'This port is not allowed' }],
        });
    } finally {
      await saveSetting(world, 'SitePortSetting', sitePortDefault);
    }
    const wrong = await trySetting(world, 'SitePortSetting', { ...narrow, last: 10 });
    expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'value.last' }] });
  });

  it("are neither seen nor changed in another customer's site", async () => {
    const site = await makeSite(customer.api);
    const other = await makeCustomer(world);
    expect(await save(site.id, { http_ports: [9300 - 50] }, other.api)).toMatchObject({ status: 404 });
    expect(await other.api.call('getSitePortRange', { params: { id: site.id } })).toMatchObject({
      status: 404,
    });
    expect(await other.api.call('getListenPort', { query: { site_id: site.id } })).toMatchObject({
      status: 404,
    });
  });
});

const emptyState = nodeState.parse({
  version: '0',
  nginx_running: true,
  uptime_seconds: 0,
  cpu_share: 0,
  memory_total: 0,
  memory_used: 0,
  disk_total: 0,
  disk_used: 0,
  ipv6: true,
});

describe('HTTPS of a site', () => {
  const change = async (siteId: number, value: object) => {
    const query = { site_id: siteId };
    const read = await customer.api.get('getCertificateSettings', { query });
    const body = { version: read.version, value: { ...read.value, ...value } };
    return customer.api.call('updateCertificateSettings', { query, body });
  };

  it('sends to the nodes what differs from the default, and nothing else', async () => {
    const site = await makeSite(customer.api);
    expect((await documentOf(site.id)).certificate_settings).toEqual({ certificate_ids: [] });
    expect(await change(site.id, { min_version: 'TLSv1.3' })).toMatchObject({ status: 200 });
    expect((await documentOf(site.id)).certificate_settings).toEqual({
      certificate_ids: [],
      // Versions and ciphers say something only together.
      min_version: 'TLSv1.3',
      max_version: 'TLSv1.3',
      cipher_level: 'compatible',
    });
  });

  it.each([
    ['max_version', { min_version: 'TLSv1.3', max_version: 'TLSv1.2' }],
    ['cipher_level', { min_version: 'TLSv1' }],
    ['hsts.preload', { hsts: { enabled: true, preload: true } }],
    ['force_https.status', { force_https: { enabled: true, status: 303 } }],
    ['client_certificate.ca', { client_certificate: { mode: 'require', ca: 'no certificate' } }],
  ])('refuses a wrong %s', async (path, value) => {
    const site = await makeSite(customer.api);
    expect(await change(site.id, value)).toMatchObject({ status: 400, errors: [{ path: `value.${path}` }] });
  });

  it("takes authorities for visitors' certificates, and nothing that is none", async () => {
    const site = await makeSite(customer.api);
    const authority = await Authority.make(unique('authority'));
    const { certificate } = await authority.issue(['leaf.example.com']);
    await authority.close();
    const leaf = certificate.replace(authority.certificate, '');
    const ask = (ca: string) => change(site.id, { client_certificate: { mode: 'require', ca } });
    expect(await ask(leaf)).toMatchObject({
      status: 400,
      errors: [{ path: 'value.client_certificate.ca' }],
    });
    expect(await ask(authority.certificate)).toMatchObject({ status: 200 });
  });
});
