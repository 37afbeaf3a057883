import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
let customer: Customer;
let other: Customer;
let site: { id: number };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
  site = await makeSite(customer.api);
});
afterAll(() => world.close());

const params = () => ({ id: site.id });
const blocks = (path: string, more: object = {}) => ({
  action: 'block' as const,
  condition: { items: [{ field: 'path' as const, operator: 'starts_with' as const, values: [path] }] },
  ...more,
});
const answerOf = async (rules: object[]) => {
  const { version } = await customer.api.get('getMatcherRule', { params: params() });
  return customer.api.call('updateMatcherRule', {
    params: params(),
    body: { version, value: { rules } as never },
  });
};

async function documentOf(kind: 'site' | 'level', key: string) {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, key)));
  return JSON.parse(row!.body) as Record<string, unknown>;
}

describe('matcher rules of a site', () => {
  it('are for its owner alone', async () => {
    const read = { params: params() };
    const body = { version: 1, value: { rules: [] } };
    for (const name of ['getMatcherRule', 'getMatcherRuleAbove'] as const) {
      expect(await world.anonymous.call(name, read)).toMatchObject({ status: 401 });
      expect(await other.api.call(name, read)).toMatchObject({ status: 404 });
    }
    const write = { ...read, body };
    expect(await world.anonymous.call('updateMatcherRule', write)).toMatchObject({ status: 401 });
    expect(await other.api.call('updateMatcherRule', write)).toMatchObject({ status: 404 });
  });

  it('reach nodes with what a node must know, and are neither there nor needed without', async () => {
    expect(await documentOf('site', String(site.id))).not.toHaveProperty('matcher_rule');
    expect(await answerOf([blocks('/admin'), { action: 'tag', tag: { name: 'Seen' } }])).toMatchObject({
      status: 200,
    });
    const document = await documentOf('site', String(site.id));
    expect(document).toMatchObject({
      matcher_rule: { rules: [{ action: 'block' }, { tag: { name: 'seen' } }] },
    });
    expect(document['needs']).toEqual(
      expect.arrayContaining(['action.block', 'action.tag', 'condition.path', 'section.matcher_rule']),
    );
    const { list } = await customer.api.get('listSiteRevisions', { params: params(), query: {} });
    expect(list[0]).toMatchObject({ section: 'matcher_rule' });
    const rolled = { params: params(), body: { version: list[0]!.version, revision_id: list[1]!.id } };
    expect(await customer.api.call('rollbackSite', rolled)).toMatchObject({ status: 200 });
    expect(await documentOf('site', String(site.id))).not.toHaveProperty('matcher_rule');
  });

  it.each([
    ['a tag without a name', { action: 'tag' }, 'value.rules.0.tag.name', expect.any(String)],
    [
      'a tag of two words',
      { action: 'tag', tag: { name: 'a b' } },
      'value.rules.0.tag.name',
      expect.stringContaining('A tag starts'),
    ],
    ['a share of none', blocks('/', { share: 0 }), 'value.rules.0.share', 'Below the minimum'],
    [
      'a pattern that runs away',
      {
        action: 'block',
        condition: { items: [{ field: 'query', operator: 'regex', values: ['(x+x+)+y'] }] },
      },
      'value.rules.0.condition.items.0.values.0',
      expect.stringContaining('very long'),
    ],
  ])('refuse %s at its field', async (_name, rule, path, message) => {
    expect(await answerOf([rule])).toMatchObject({
      status: 400,
      errors: [{ path, message }],
    });
  });

  it('take 200 rules and no more', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => blocks(`/${index}`));
    expect(await answerOf(many(201))).toMatchObject({ status: 400 });
    expect(await answerOf(many(200))).toMatchObject({ status: 200 });
    expect(await answerOf([])).toMatchObject({ status: 200 });
  });
});

describe('matcher rules of a level', () => {
  it('are asked of its sites, who see them and change none', async () => {
    const query = { level: 'global' as const, target_id: 0, section: 'matcher_rule' as const };
    const { version } = await world.admin.get('getSiteLevelSection', { query });
    await world.admin.get('updateSiteLevelSection', {
      query,
      body: { version, value: { rules: [blocks('/everywhere')] } },
    });
    expect(await documentOf('level', 'global')).toMatchObject({
      matcher_rule: { rules: [{ action: 'block' }] },
      needs: ['action.block', 'condition.path', 'operator.starts_with', 'section.matcher_rule'],
    });
    const { levels } = await customer.api.get('getMatcherRuleAbove', { params: params() });
    expect(levels).toMatchObject([{ level: 'global', rules: [{ action: 'block' }] }]);
    expect(await world.admin.get('getSiteLevel', { query: { level: 'global' } })).toMatchObject({
      own: expect.arrayContaining(['matcher_rule.rules']) as unknown,
    });
    await world.admin.get('updateSiteLevelSection', {
      query,
      body: { version: version + 1, value: { rules: [] } },
    });
    expect((await customer.api.get('getMatcherRuleAbove', { params: params() })).levels).toEqual([]);
  });
});
