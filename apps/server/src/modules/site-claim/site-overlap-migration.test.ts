import { readdirSync, readFileSync } from 'node:fs';
import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  saveSetting,
  startDnsServer,
  startWorld,
  unique,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument, siteDomain } from '../../db/schema.ts';
import { runDueChecks } from '../site-domain/site-domain.service.ts';

/** Names of two customers that overlapped before that had to be proven. */

let world: World;
let dns: DnsServer;
let owner: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  dns = await startDnsServer('example.com');
  [owner, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  const body = siteSetting.parse({ cname_domain: 'cdn.example.com', dns_servers: [dns.address] });
  await saveSetting(world, 'SiteSetting', body);
});
afterAll(async () => {
  await dns?.close();
  await world?.close();
});

const folder = new URL('../../db/migrations/', import.meta.url);
async function migrate() {
  const file = readdirSync(folder).find((name) => name.endsWith('_domain_overlap.sql'))!;
  const statements = readFileSync(new URL(file, folder), 'utf8')
    .split('--> statement-breakpoint')
    .filter((statement) => /SET "(claimed_at|proof)"/.test(statement));
  expect(statements).toHaveLength(2);
  await world.server.services.db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}
const setRow = (domain: string, values: Partial<typeof siteDomain.$inferInsert>) =>
  world.server.services.db.update(siteDomain).set(values).where(eq(siteDomain.domain, domain));
async function rowOf(domain: string) {
  const [row] = await world.server.services.db.select().from(siteDomain).where(eq(siteDomain.domain, domain));
  return row!;
}
async function documentOf(id: number) {
  await world.admin.get('forceSiteSync', { params: { id } });
  const [row] = await world.server.services.db
    .select({ body: edgeDocument.body })
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(id))));
  return JSON.parse(row!.body) as { status: string; domains: string[]; waiting_domains?: string[] };
}

/** A site that is older than the owner's, and got a name below the owner's wildcard after that. */
async function overlapAsBefore() {
  const [kept, zone] = [`${unique('kept')}.example.com`, `${unique('zone')}.example.com`];
  const create = (domain: string, order_id: number) =>
    world.admin.get('createSite', { body: { domains: [domain], origin: '192.0.2.9', order_id } });
  const { id } = await create(kept, other.orderId);
  await create(`*.${zone}`, owner.orderId);
  const domain = `login.${zone}`;
  const body = { version: 1, domains: [kept, domain] };
  await other.api.get('updateSiteDomains', { params: { id }, body });
  await setRow(domain, { proof: 'given' });
  return { id, kept, domain, wildcard: `*.${zone}` };
}

it('stay with who had theirs first; the younger is served until the time for its proof is over', async () => {
  const { id, kept, domain, wildcard } = await overlapAsBefore();
  await migrate();
  expect(await rowOf(wildcard)).toMatchObject({ proof: 'given', wasServed: false });
  expect(await rowOf(domain)).toMatchObject({ proof: 'waiting', wasServed: true });
  expect(await rowOf(kept)).toMatchObject({ proof: 'given', wasServed: false });
  const document = await documentOf(id);
  expect(document).toMatchObject({ status: 'online', domains: [kept, domain] });
  expect(document).not.toHaveProperty('waiting_domains');

  const { checkUntil } = await rowOf(domain);
  await other.api.get('checkSiteDns', { params: { id } });
  expect(await rowOf(domain)).toMatchObject({ proof: 'waiting', wasServed: true, checkUntil });
  await setRow(domain, { nextCheckAt: new Date(0), checkUntil: new Date(0) });
  await runDueChecks(world.server.services);
  expect(await rowOf(domain)).toMatchObject({ proof: 'failed', wasServed: false });
  expect((await documentOf(id)).domains).toEqual([kept]);
  // Asked once more, it waits like any other.
  await other.api.get('checkSiteDns', { params: { id } });
  expect(await rowOf(domain)).toMatchObject({ proof: 'waiting', wasServed: false });
  expect((await documentOf(id)).domains).toEqual([kept]);
});

it('are both served on where the younger is proven, or the older goes', async () => {
  const [proven, freed] = [await overlapAsBefore(), await overlapAsBefore()];
  await migrate();
  const { cname } = await world.admin.get('getSite', { params: { id: proven.id } });
  await dns.write([`${proven.domain.replace('.example.com', '')} IN CNAME ${cname}.`]);
  const { siteId } = await rowOf(freed.wildcard);
  await world.admin.get('removeSiteForced', { params: { id: siteId } });
  await runDueChecks(world.server.services);
  for (const { domain } of [proven, freed])
    expect(await rowOf(domain)).toMatchObject({ proof: 'given', wasServed: false });
});
