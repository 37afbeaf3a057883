import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { order, site, siteDomain, tag } from './db/schema.ts';
import { everything, ofClient, owned, ownerOfNew, owns, seesAll, type Scope } from './scope.ts';

let world: World;
let customers: [Customer, Customer, Customer];
let sites: [number, number, number];

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customers = [await makeCustomer(world), await makeCustomer(world), await makeCustomer(world)];
  const made = await Promise.all(customers.map(({ api }) => makeSite(api)));
  sites = made.map(({ id }) => id) as typeof sites;
  for (const { api } of customers) await api.get('createTag', { body: { name: 'own', color: 'blue' } });
  await world.admin.get('createTag', { body: { name: 'the platform’s', color: 'blue' } });
});
afterAll(() => world.close());

/** Whose rows a scope leaves of these tables, by the place of the customer; 3 for the platform's. */
async function left(scope: Scope) {
  const { db } = world.server.services;
  const place = (clientId: number | null) =>
    clientId === null ? 3 : customers.findIndex(({ id }) => id === clientId);
  const ours = inArray(
    order.clientId,
    customers.map(({ id }) => id),
  );
  const of = (rows: { clientId: number | null }[]) =>
    rows.map((row) => place(row.clientId)).sort((a, b) => a - b);
  const all = await Promise.all([
    db.select().from(site).where(owned(site, scope)),
    db
      .select({ clientId: site.clientId })
      .from(siteDomain)
      .innerJoin(site, eq(site.id, siteDomain.siteId))
      .where(owned(siteDomain, scope)),
    db.select().from(tag).where(owned(tag, scope)),
  ]);
  const orders = of(
    await db
      .select()
      .from(order)
      .where(and(owned(order, scope), ours)),
  );
  return { sites: of(all[0]), domains: of(all[1]), tags: of(all[2]), orders };
}

describe('what a scope leaves', () => {
  it('is everything, also the platform’s, for operators', async () => {
    expect(await left(everything)).toMatchObject({
      sites: [0, 1, 2],
      domains: [0, 1, 2],
      tags: [0, 1, 2, 3],
    });
    expect(seesAll(everything)).toBe(true);
  });

  it('is one’s own for a customer, and of several customers what is theirs', async () => {
    const [first, second] = customers;
    expect(await left(ofClient(first.id))).toEqual({ sites: [0], domains: [0], tags: [0], orders: [0] });
    const both = { clients: [first.id, second.id] };
    expect(await left(both)).toEqual({ sites: [0, 1], domains: [0, 1], tags: [0, 1], orders: [0, 1] });
    expect(await left({ clients: [] })).toEqual({ sites: [], domains: [], tags: [], orders: [] });
  });

  it('is of certain sites what belongs to them, and nothing of what belongs to a customer as a whole', async () => {
    const two = { clients: 'all' as const, sites: [sites[0], sites[1]] };
    expect(await left(two)).toEqual({ sites: [0, 1], domains: [0, 1], tags: [], orders: [] });
    const others = { clients: [customers[2].id], sites: [sites[0]] };
    expect(await left(others)).toEqual({ sites: [], domains: [], tags: [], orders: [] });
    expect(seesAll(two)).toBe(false);
  });

  it('is the same for a row that is there', () => {
    const row = { clientId: 1, siteId: 5 };
    expect(owns(everything, { clientId: null })).toBe(true);
    expect(owns(ofClient(1), row)).toBe(true);
    expect(owns(ofClient(2), row)).toBe(false);
    expect(owns(ofClient(1), { clientId: null })).toBe(false);
    expect(owns({ clients: [1], sites: [5] }, row)).toBe(true);
    expect(owns({ clients: [1], sites: [6] }, row)).toBe(false);
    expect(owns({ clients: [1], sites: [5] }, { clientId: 1 })).toBe(false);
  });

  it('says whose a new row is, and asks who acts for several', () => {
    expect(ownerOfNew(everything)).toBeNull();
    expect(ownerOfNew(everything, 4)).toBe(4);
    expect(ownerOfNew(ofClient(1))).toBe(1);
    expect(ownerOfNew({ clients: [1, 2] }, 2)).toBe(2);
    expect(() => ownerOfNew(ofClient(1), 2)).toThrow('invalid_input');
    expect(() => ownerOfNew({ clients: [1, 2] })).toThrow('invalid_input');
  });
});
