import type { Site } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, edgeUse } from '../../db/schema.ts';
import { pageOfSites, whereSites } from './site-filter.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

describe('the list', () => {
  it('finds by domain, origin, customer, status, product and line group', async () => {
    const { id, domain } = await makeSite(customer.api);
    const site = (await world.admin.get('listSites', { query: { site_id: id } })).list[0]!;
    const count = async (query: object) =>
      (await world.admin.get('listSites', { query })).list.filter((row) => row.id === site.id).length;
    const found = {
      domain_name: domain,
      site_id: id,
      client_id: customer.id,
      status: 'checking',
      source_content: '127.0.0.1',
      product_id: site.product_id,
      line_group_id: site.line_group_id,
    };
    for (const [key, value] of Object.entries(found))
      expect(await count({ [key]: value, page_size: 200 }), key).toBe(1);
    expect(await count({ domain_name: '%' })).toBe(0);
    expect(await count({ status: 'offline' })).toBe(0);
    expect(await count({ client_id: customer.id + 1, site_id: id })).toBe(0);
    expect(await count({ source_content: '203.0.113.99' })).toBe(0);
    expect(await count({ product_id: 9999 })).toBe(0);
    expect(await count({ line_group_id: 9999 })).toBe(0);
  });

  it('pages to 200 and no further', async () => {
    expect((await world.admin.get('listSites', { query: { page_size: 200 } })).page_size).toBe(200);
    const answer = await world.admin.call('listSites', { query: { page_size: 201 } });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'page_size' }] });
  });

  it('finds a customer by a part of their e-mail, and an international name as it is typed', async () => {
    const name = unique('例え');
    const site = await makeSite(customer.api, { domain: `${name}.example.com` });
    const ids = async (query: object) =>
      (await world.admin.get('listSites', { query: { ...query, page_size: 200 } })).list.map(({ id }) => id);
    expect(await ids({ domain_name: name })).toEqual([site.id]);
    expect(await ids({ username: customer.email.slice(0, 12) })).toContain(site.id);
  });

  it('finds by the certificate that ends first, and says so in each row', async () => {
    const one = await makeCustomer(world);
    const endingIn = async (days: number) => {
      const site = await makeSite(one.api);
      await useCertificate(site.id, 90);
      await useCertificate(site.id, days);
      return site.id;
    };
    const [long, soon, over] = [await endingIn(90), await endingIn(29), await endingIn(-1)];
    const bare = (await makeSite(one.api)).id;
    const states = async (filter: object) => {
      const query = { client_id: one.id, sort_order: 'asc', page_size: 200, ...filter } as const;
      const { list } = await world.admin.get('listSites', { query });
      return list.map((row) => [row.id, row.certificate_status, row.certificate_expires_soon]);
    };
    const isLong = [long, 'enabled', false];
    const isSoon = [soon, 'enabled', true];
    expect(await states({ certificate_status: 'not_enabled' })).toEqual([[bare, 'not_enabled', false]]);
    expect(await states({ certificate_status: 'expired' })).toEqual([[over, 'expired', false]]);
    expect(await states({ certificate_status: 'enabled' })).toEqual([isLong, isSoon]);
    const enabled = { certificate_status: 'enabled' };
    expect(await states({ ...enabled, certificate_expires_soon: 'yes' })).toEqual([isSoon]);
    expect(await states({ ...enabled, certificate_expires_soon: 'no' })).toEqual([isLong]);
    const { list } = await customer.api.get('listSites', { query: { certificate_expires_soon: 'yes' } });
    expect(list.map(({ id }) => id)).not.toContain(soon);
  });

  it('sorts by domain, status, time of the last change and id, both ways', async () => {
    const word = unique('sort');
    // Online at once: what a customer adds would wait for the DNS.
    const add = (name: string) =>
      makeSite(world.admin, { domain: `${name}.${word}.example.com`, orderId: customer.orderId });
    const a = await add('a');
    const c = await add('c');
    const b = await add('b');
    const params = { id: a.id };
    await customer.api.get('updateSiteStatus', { params, body: { version: 1, status: 'offline' } });
    const sorted = async (
      sort_by: 'id' | 'domain_name' | 'updated_at' | 'status',
      sort_order: 'asc' | 'desc',
    ) =>
      (await customer.api.get('listSites', { query: { domain_name: word, sort_by, sort_order } })).list.map(
        (row) => row.id,
      );
    expect(await sorted('domain_name', 'asc')).toEqual([a.id, b.id, c.id]);
    expect(await sorted('domain_name', 'desc')).toEqual([c.id, b.id, a.id]);
    expect(await sorted('id', 'asc')).toEqual([a.id, c.id, b.id]);
    expect(await sorted('updated_at', 'desc')).toEqual([a.id, b.id, c.id]);
    expect((await sorted('status', 'asc'))[0]).toBe(a.id);
  });
});

async function useCertificate(siteId: number, daysAhead: number): Promise<void> {
  const { db, secrets } = world.server.services;
  const [row] = await db
    .insert(certificate)
    .values({
      clientId: customer.id,
      name: unique('certificate'),
      domains: ['example.com'],
      issuer: 'a test',
      fingerprint: unique('print'),
      notBefore: new Date(Date.now() - 100 * 86_400_000),
      notAfter: new Date(Date.now() + daysAhead * 86_400_000),
      certificate: '',
      privateKey: secrets.encrypt('a key'),
    })
    .returning({ id: certificate.id });
  await db
    .insert(edgeUse)
    .values({ userKind: 'site', userId: siteId, depKind: 'certificate', depKey: String(row!.id) });
}

describe('the export', () => {
  it('holds what the filters let through, in the order of the list, up to the count', async () => {
    const word = unique('export');
    for (const part of ['b', 'a', 'c'])
      await makeSite(customer.api, { domain: `${part}.${word}.example.com` });
    const query = { domain_name: word, sort_by: 'domain_name', sort_order: 'asc', count: 2 } as const;
    const { name, contentType, text } = await customer.api.download('exportSites', { query });
    expect({ name, contentType }).toEqual({
      name: 'sites.jsonl',
      contentType: 'application/jsonl; charset=utf-8',
    });
    const sites = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Site);
    expect(sites.map((site) => site.domains[0])).toEqual([`a.${word}.example.com`, `b.${word}.example.com`]);
  });

  it('takes a count from 1 to 10,000 and needs something to export', async () => {
    for (const count of ['0', '10001', '1.5', 'ten', '-1'])
      expect(await customer.api.send('GET', `/prod-api/site/export?count=${count}`), count).toMatchObject({
        status: 400,
        errors: [{ path: 'count' }],
      });
    const nothing = await customer.api.call('exportSites', { query: { domain_name: unique('nobody') } });
    expect(nothing).toMatchObject({ status: 400, message: 'There is no data to export' });
  });

  it("holds no other customer's sites", async () => {
    const site = await makeSite(customer.api);
    const stranger = await makeCustomer(world);
    const answer = await stranger.api.call('exportSites', { query: { domain_name: site.domain } });
    expect(answer).toMatchObject({ status: 400, code: 40_002 });
  });
});

describe('with 100,000 sites', () => {
  const admin = { clients: 'all' } as const;
  beforeAll(async () => {
    const { db } = world.server.services;
    const template = await makeSite(customer.api);
    await db.transaction(async (tx) => {
      // Longer than any request may take.
      await tx.execute(sql`SET LOCAL statement_timeout = 0`);
      // Foreign keys that are not checked by row, and indexes made of all rows at once, cost a third less.
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      const { rows: indexes } = await tx.execute<{ name: string; definition: string }>(sql`
        SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS definition
        FROM pg_index i WHERE i.indrelid IN ('site'::regclass, 'site_domain'::regclass) AND NOT i.indisunique`);
      for (const { name } of indexes) await tx.execute(sql.raw(`DROP INDEX ${name}`));
      await tx.execute(sql`
        WITH made AS (
          INSERT INTO site (client_id, order_id, line_group_id, config, status)
          SELECT s.client_id, s.order_id, s.line_group_id, s.config || jsonb_build_object('domains', jsonb_build_array('shop' || n || '.example.org')), s.status
          FROM site s, generate_series(1, 100000) n WHERE s.id = ${template.id} RETURNING id, config->'domains'->>0 AS domain)
        INSERT INTO site_domain (domain, site_id, position) SELECT domain, id, 0 FROM made`);
      for (const { definition } of indexes) await tx.execute(sql.raw(definition));
    });
    await db.execute(sql`VACUUM ANALYZE site, site_domain`);
  });

  it('finds by a part of a domain through the index, in the page and in the count', async () => {
    const { db } = world.server.services;
    const where = whereSites(db, admin, { domain_name: 'hop4711.ex' });
    const plans = [
      sql`SELECT id FROM site WHERE ${where} ORDER BY id DESC LIMIT 10`,
      sql`SELECT count(*) FROM site WHERE ${where}`,
    ];
    for (const query of plans) {
      const { rows } = await db.execute(sql`EXPLAIN ${query}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('site_domain_part_index');
      expect(plan).not.toMatch(/Seq Scan/);
    }
    const page = { limit: 10, offset: 0 };
    expect(await pageOfSites(db, where, { sort_by: 'id', sort_order: 'desc' }, page)).toHaveLength(1);
  });

  it('exports ten thousand of them without holding up the server', async () => {
    const turns = watchTurns();
    const { text } = await world.admin.download('exportSites', { query: { domain_name: 'example.org' } });
    expect(text.match(/\n/g)).toHaveLength(10_000);
    // All at once it was a pause of seconds.
    expect(turns.longestMs()).toBeLessThan(400);
  });

  it('finds by an address of an origin through the index', async () => {
    const { db } = world.server.services;
    const site = await makeSite(customer.api, {});
    const { version, value } = await customer.api.get('getOriginServerConfig', {
      query: { site_id: site.id },
    });
    const origins = [{ ...value.origins[0]!, address: '198.51.100.77' }];
    await customer.api.get('updateOriginServerConfig', {
      query: { site_id: site.id },
      body: { version, value: { ...value, origins } },
    });
    const where = whereSites(db, admin, { source_content: '51.100.77' });
    const { rows } = await db.execute(
      sql`EXPLAIN SELECT id FROM site WHERE ${where} ORDER BY id DESC LIMIT 10`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('site_origin_part_index');
    const { list } = await world.admin.get('listSites', { query: { source_content: '51.100.77' } });
    expect(list.map((row) => row.id)).toEqual([site.id]);
  });
});

/** What this thread computes between two turns of its loop; a processor that others use meanwhile counts for nothing. */
function watchTurns(): { longestMs: () => number } {
  let longest = 0;
  let next = setImmediate(turn, process.threadCpuUsage());
  function turn(before: NodeJS.CpuUsage) {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    next = setImmediate(turn, now);
  }
  return {
    longestMs: () => {
      clearImmediate(next);
      return longest / 1000;
    },
  };
}
