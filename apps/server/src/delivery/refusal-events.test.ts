import { makeCustomer, makeSite, startWorld, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { workThrough } from '../jobs/test-work.ts';
import { acknowledge } from './acknowledge.ts';
import { rowsOf } from './queryable.ts';
import { recordRefusals } from './refusal-events.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const db = () => world.server.services.db;

it('a document that a node refuses is told once, of the node and of the site, and to operators alone', async () => {
  const customer = await makeCustomer(world);
  const site = await makeSite(customer.api);
  const { list: nodes } = await world.admin.get('listNodes', { query: {} });
  const node = { id: nodes[0]!.id, name: nodes[0]!.name };
  const [document] = await rowsOf<{ revision: string }>(
    db(),
    sql`SELECT revision FROM edge_document WHERE kind = 'site' AND key = ${String(site.id)}`,
  );
  const refused = { status: 'refused', error: 'nginx: unknown directive' } as const;
  const results = [
    { kind: 'site', key: String(site.id), revision: Number(document!.revision), ...refused },
    // None of this node's.
    { kind: 'site', key: '999999', revision: 1, ...refused },
  ] as const;
  const say = () =>
    db().transaction(async (tx) => {
      await recordRefusals(tx, node, results);
      await acknowledge(tx, node.id, results);
    });
  await say();
  await say();
  const read = async (subject_kind: 'site' | 'node', subject_id: number, api = world.admin) =>
    (await api.get('listActivity', { query: { subject_kind, subject_id } })).list.filter(
      ({ kind }) => kind === 'delivery_refused',
    );
  expect(await read('node', node.id)).toMatchObject([
    { actor_type: 'node', about: [{ name: `site/${site.id}`, value: refused.error }] },
  ]);
  expect(await read('site', site.id)).toMatchObject([{ about: [{ name: node.name, value: refused.error }] }]);
  expect(await read('site', site.id, customer.api)).toEqual([]);
});

it('a batch tells of itself, and of each of its sites by the name of who began it', async () => {
  const customer = await makeCustomer(world);
  const lines = ['a', 'b', 'c'].map((name) => `${name}.${customer.id}.example.com|192.0.2.1`);
  const { id } = await customer.api.get('createSiteBatch', { body: { lines } });
  await workThrough(world.server.services, id);
  const told = await rowsOf<{ about: string; actor_id: number }>(
    db(),
    sql`SELECT subject_kind || ' ' || kind AS about, actor_id FROM event
        WHERE client_id = ${customer.id} AND subject_kind IN ('site', 'site_batch') ORDER BY id`,
  );
  const made = { about: 'site created', actor_id: customer.id };
  expect(told).toEqual([{ about: 'site_batch started', actor_id: customer.id }, made, made, made]);
});
