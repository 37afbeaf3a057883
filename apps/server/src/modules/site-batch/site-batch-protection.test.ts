import {
  makeCustomer,
  makeSite,
  startWorld,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const finished = (id: number) =>
  waitFor(
    `batch ${id}`,
    async () => {
      const batch = await customer.api.get('getSiteBatch', { params: { id } });
      return batch.status === 'done' && batch;
    },
    120,
  );

describe('one section of protection of many sites', () => {
  const rules = [{ action: 'block' as const, note: 'everywhere' }];

  it('is put on each, by a call of its own', async () => {
    const sites = [await makeSite(customer.api), await makeSite(customer.api)];
    const site_ids = sites.map(({ id }) => id);
    const body = { sites: { site_ids }, section: 'matcher_rule' as const, value: { rules } };
    const { id } = await customer.api.get('changeSitesProtection', { body });
    expect(await finished(id)).toMatchObject({
      kind: 'section',
      section: 'matcher_rule',
      done: 2,
    });
    for (const each of sites)
      expect(await customer.api.get('getMatcherRule', { params: { id: each.id } })).toMatchObject({
        value: { rules },
      });
    expect(await world.anonymous.call('changeSitesProtection', { body })).toMatchObject({ status: 401 });
    const other = await makeCustomer(world);
    const foreign = await makeSite(other.api);
    expect(
      await customer.api.call('changeSitesProtection', {
        body: { ...body, sites: { site_ids: [foreign.id] } },
      }),
    ).toMatchObject({ status: 400 });
  });

  it('refuses other sections, and what is wrong at its field', async () => {
    const { id } = await makeSite(customer.api);
    const sites = { site_ids: [id] };
    expect(
      await customer.api.call('changeSitesProtection', {
        body: { sites, section: 'cache_rule' as never, value: {} },
      }),
    ).toMatchObject({ status: 400, errors: [{ path: 'section' }] });
    expect(
      await customer.api.call('changeSitesProtection', {
        body: { sites, section: 'matcher_rule', value: { rules: [{ action: 'tag' }] } },
      }),
    ).toMatchObject({
      status: 400,
      errors: [{ path: expect.stringContaining('rules.0.tag.name') as unknown }],
    });
  });
});

it('puts all sites of an order under attack for a time, and back; not those of other orders', async () => {
  const own = await makeSite(customer.api);
  const { order_id: orderId } = await customer.api.get('getSite', { params: { id: own.id } });
  const elsewhere = await makeCustomer(world);
  const foreign = await makeSite(elsewhere.api);
  const filter = { order_id: String(orderId) };
  const { total } = await customer.api.get('listSites', { query: filter });
  const change = (value: object) => ({
    sites: { filter, expected_total: total },
    section: 'cc_guardian_rule' as const,
    fields: ['attack_until'],
    value: value as never,
  });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const started = await customer.api.get('changeSitesProtection', { body: change({ attack_until: until }) });
  expect(await finished(started.id)).toMatchObject({ total, failed: 0 });
  const guardOf = async (api = customer.api, id = own.id) =>
    (await api.get('getCcGuardianRule', { params: { id } })).value;
  expect(await guardOf()).toMatchObject({ mode: 'off', attack_until: until });
  expect(await guardOf(elsewhere.api, foreign.id)).not.toHaveProperty('attack_until');
  const ended = await customer.api.get('changeSitesProtection', { body: change({}) });
  expect(await finished(ended.id)).toMatchObject({ total, failed: 0 });
  expect(await guardOf()).not.toHaveProperty('attack_until');
  const events = await customer.api.get('listActivity', {
    query: { subject_kind: 'site', subject_id: String(own.id) },
  });
  expect(JSON.stringify(events.list)).toContain('attack_until');
  // Of another customer's order there are no sites.
  const listed = await elsewhere.api.get('listSites', { query: filter });
  expect(listed.total).toBe(0);
});
