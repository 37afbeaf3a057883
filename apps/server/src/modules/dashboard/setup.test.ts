import {
  makeAdministrator,
  makeCustomer,
  makeNodeState,
  makeSite,
  startWorld,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { node, siteDomain } from '../../db/schema.ts';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const db = () => world.server.services.db;
const read = (api: ApiClient) => api.get('getSetupState', {});
const doneOf = async (api: ApiClient) =>
  Object.fromEntries((await read(api)).steps.map(({ id, done }) => [id, done]));

it('says how far an installation is, by what is there, and a customer of what is theirs', async () => {
  const nothing = { site: false, domain: false, dns: false, request: false };
  expect(await read(world.admin)).toMatchObject({ site: null });
  expect(await doneOf(world.admin)).toEqual({ node: false, line_group: true, ...nothing });

  const [local] = await db().select().from(node);
  await db()
    .update(node)
    .set({ statusTime: new Date(), state: makeNodeState() })
    .where(eq(node.id, local!.id));
  expect(await doneOf(world.admin)).toMatchObject({ node: true, ...nothing });

  const customer = await makeCustomer(world);
  const other = await makeCustomer(world);
  expect(await doneOf(customer.api)).toEqual(nothing);
  const site = await makeSite(customer.api);
  const { proof } = (await db().select().from(siteDomain).where(eq(siteDomain.siteId, site.id)))[0]!;
  expect(await read(customer.api)).toMatchObject({ site: { id: site.id, domain: site.domain } });
  expect(await doneOf(customer.api)).toEqual({ ...nothing, site: true, domain: proof === 'given' });

  await db()
    .update(siteDomain)
    .set({ proof: 'given', verdict: 'elsewhere' })
    .where(eq(siteDomain.siteId, site.id));
  expect(await doneOf(customer.api)).toMatchObject({ domain: true, dns: false });
  await db().update(siteDomain).set({ verdict: 'cname' }).where(eq(siteDomain.siteId, site.id));
  expect(await doneOf(customer.api)).toMatchObject({ dns: true, request: false });

  const line = makeLine({ time: new Date().toISOString(), client_id: customer.id, site_id: site.id });
  await world.server.services.logStore.ingest({
    nodeId: local!.id,
    file: 'a',
    offset: 0,
    lines: toBytes([line]),
  });
  expect(await doneOf(customer.api)).toEqual({ site: true, domain: true, dns: true, request: true });
  expect(await doneOf(world.admin)).toMatchObject({ dns: true, request: true });
  expect(await doneOf(other.api)).toEqual(nothing);
});

it('names the steps alone that one may see, and is of nobody without a session', async () => {
  const { api } = await makeAdministrator(world, ['node.read']);
  expect(Object.keys(await doneOf(api))).toEqual(['node']);
  expect((await read(api)).site).toBeNull();
  expect((await world.anonymous.call('getSetupState', {})).status).toBe(401);
});
