import { shippedWafClasses, shippedWafRules } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  await makeSite(customer.api);
});
afterAll(() => world.close());

const version = async () => (await world.admin.get('getNodeWafMatcherSetting', {})).version;
const rule = (note: string) => ({ note, action: 'block' as const });
const names = async () =>
  (await world.admin.get('listNodeWafMatchers', { query: {} })).list.map(({ id, note }) => `${id} ${note}`);

async function onNodes(): Promise<string[]> {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'level'), eq(edgeDocument.key, 'global')));
  const { matcher_rule: section } = JSON.parse(row!.body) as { matcher_rule?: { rules: { note: string }[] } };
  return section?.rules.map(({ note }) => note) ?? [];
}

describe('global rules', () => {
  it('are the operators’ alone', async () => {
    for (const api of [world.anonymous, customer.api]) {
      const status = api === world.anonymous ? 401 : 404;
      expect(await api.call('listNodeWafMatchers', { query: {} })).toMatchObject({ status });
      const body = { version: 0, rule: rule('mine') };
      expect(await api.call('createNodeWafMatcher', { body })).toMatchObject({ status });
    }
  });

  it('are added, changed, put in order and removed by their numbers, and reach nodes', async () => {
    for (const note of ['one', 'two', 'three'])
      await world.admin.get('createNodeWafMatcher', { body: { version: await version(), rule: rule(note) } });
    expect(await names()).toEqual(['1 one', '2 two', '3 three']);
    await world.admin.get('updateNodeWafMatcher', {
      params: { id: 2 },
      body: { version: await version(), rule: rule('second') },
    });
    await world.admin.get('removeNodeWafMatcher', { params: { id: 1 }, query: { version: await version() } });
    expect(await onNodes()).toEqual(['second', 'three']);
    const { value } = await world.admin.get('getNodeWafMatcherSetting', {});
    await world.admin.get('updateNodeWafMatcherSetting', {
      body: { version: await version(), value: { rules: value.rules.toReversed() } },
    });
    expect(await onNodes()).toEqual(['three', 'second']);
    expect(await world.admin.get('getNodeWafMatcher', { params: { id: 2 } })).toMatchObject({
      note: 'second',
    });
    expect(await world.admin.call('listNodeWafMatchers', { query: { name: 'thr' } })).toMatchObject({
      data: { total: 1, list: [{ id: 1, note: 'three' }] },
    });
  });

  it('ban in the kernel from all sites and from no fewer, and say that a node must know of it', async () => {
    const before = await world.admin.get('getNodeWafMatcherSetting', {});
    const banning = (scope: 'client' | 'platform') => ({
      body: {
        version: before.version,
        rule: { action: 'ban' as const, ban: { scope, place: 'kernel' as const } },
      },
    });
    expect(await world.admin.call('createNodeWafMatcher', banning('client'))).toMatchObject({
      status: 400,
      errors: [{ path: 'rule.ban.place' }],
    });
    await world.admin.get('createNodeWafMatcher', banning('platform'));
    const [row] = await world.server.services.db
      .select()
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'level'), eq(edgeDocument.key, 'global')));
    expect(JSON.parse(row!.body)).toMatchObject({
      needs: expect.arrayContaining(['action.ban', 'matcher.kernel']) as unknown,
    });
    await world.admin.get('updateNodeWafMatcherSetting', {
      body: { version: await version(), value: before.value },
    });
  });

  it('refuse a version that is old and a number that is none', async () => {
    const now = await version();
    const of = (id: number, given: number) =>
      world.admin.call('updateNodeWafMatcher', { params: { id }, body: { version: given, rule: rule('x') } });
    expect(await of(1, now - 1)).toMatchObject({ status: 409 });
    expect(await of(99, now)).toMatchObject({ status: 404 });
  });

  it('take the rules of a template, and a template that is gone none', async () => {
    const rules = shippedWafRules('wordpress', 'en');
    const { id } = await world.admin.get('createWafMatcher', {
      body: { name: 'Blogs', class_type: 'wordpress', rules },
    });
    const before = (await onNodes()).length;
    await world.admin.get('applyNodeWafMatchers', { body: { version: await version(), template_id: id } });
    expect(await onNodes()).toHaveLength(before + rules.length);
    expect(await world.admin.get('getNodeWafClasses', {})).toMatchObject({
      list: expect.arrayContaining([{ class_type: 'wordpress', templates: 1 }]) as unknown,
    });
    const body = { version: await version(), template_id: id + 1000 };
    expect(await world.admin.call('applyNodeWafMatchers', { body })).toMatchObject({ status: 404 });
  });
});

describe('templates', () => {
  it.each(shippedWafClasses)('of %s are what a site takes', async (kind) => {
    const { id } = await makeSite(customer.api);
    const { version: from } = await customer.api.get('getMatcherRule', { params: { id } });
    const value = { rules: shippedWafRules(kind, 'zh') };
    const saved = await customer.api.call('updateMatcherRule', {
      params: { id },
      body: { version: from, value },
    });
    expect(saved).toMatchObject({ status: 200 });
  });

  it('name no address lists, which are somebody’s', async () => {
    const condition = { items: [{ field: 'address_list' as const, operator: 'in' as const, values: ['1'] }] };
    const body = { name: 'Lists', rules: [{ action: 'block' as const, condition }] };
    expect(await customer.api.call('createWafMatcher', { body })).toMatchObject({
      status: 400,
      errors: [{ path: 'rules.0.condition' }],
    });
    const filling = { name: 'Filling', rules: [{ action: 'list' as const, list: { list_id: 1 } }] };
    expect(await customer.api.call('createWafMatcher', { body: filling })).toMatchObject({
      status: 400,
      errors: [{ path: 'rules.0.action', message: 'Rules of a template cannot refer to address lists' }],
    });
  });
});
