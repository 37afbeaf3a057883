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
    [
      'a ban from the sites of others',
      { action: 'ban', ban: { scope: 'platform' } },
      'value.rules.0.ban.scope',
      expect.stringContaining('Only global rules'),
    ],
    [
      'a ban of the site in the kernel',
      { action: 'ban', ban: { scope: 'site', place: 'kernel' } },
      'value.rules.0.ban.place',
      expect.stringContaining('in the kernel'),
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

  it('ban from the sites of others neither by import nor from a template, whoever asks', async () => {
    const rule = { action: 'ban' as const, ban: { scope: 'platform' as const, place: 'kernel' as const } };
    const { version } = await world.admin.get('getMatcherRule', { params: params() });
    for (const api of [customer.api, world.admin]) {
      const imported = { params: params(), body: { version, rules: [rule] } };
      expect(await api.call('importMatcherRules', imported)).toMatchObject({
        status: 400,
        errors: [{ path: 'rules.0.ban.scope', message: expect.stringContaining('Only global rules') }],
      });
      expect(await api.call('createWafMatcher', { body: { name: 'All', rules: [rule] } })).toMatchObject({
        status: 400,
        errors: [{ path: 'rules.0.ban.scope' }],
      });
      const whole = { params: params(), body: { version, value: { rules: [rule] } } };
      expect(await api.call('updateMatcherRule', whole)).toMatchObject({
        status: 400,
        errors: [{ path: 'value.rules.0.ban.scope' }],
      });
    }
  });

  it('take 200 rules and no more', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => blocks(`/${index}`));
    expect(await answerOf(many(201))).toMatchObject({ status: 400 });
    expect(await answerOf(many(200))).toMatchObject({ status: 200 });
    expect(await answerOf([])).toMatchObject({ status: 200 });
  });
});

describe('one rule and the order of rules', () => {
  const versionNow = async () => (await customer.api.get('getMatcherRule', { params: params() })).version;
  const notes = async () =>
    (await customer.api.get('getMatcherRule', { params: params() })).value.rules.map(({ note }) => note);
  const rule = (note: string) => blocks(`/${note}`, { note });

  it('are for its owner alone', async () => {
    const info = { params: params(), query: { number: 1 } };
    const sort = { params: params(), body: { version: 1, order: [] } };
    const load = { params: params(), body: { version: 1, rules: [rule('x')] } };
    expect(await world.anonymous.call('getMatcherRuleInfo', info)).toMatchObject({ status: 401 });
    expect(await world.anonymous.call('sortMatcherRules', sort)).toMatchObject({ status: 401 });
    expect(await world.anonymous.call('importMatcherRules', load)).toMatchObject({ status: 401 });
    expect(await other.api.call('getMatcherRuleInfo', info)).toMatchObject({ status: 404 });
    expect(await other.api.call('sortMatcherRules', sort)).toMatchObject({ status: 404 });
    expect(await other.api.call('importMatcherRules', load)).toMatchObject({ status: 404 });
  });

  it('are read by number, sorted and imported, each change a version', async () => {
    await answerOf([rule('a'), rule('b')]);
    const body = { version: await versionNow(), rules: [rule('c')] };
    await customer.api.get('importMatcherRules', { params: params(), body });
    expect(await customer.api.call('importMatcherRules', { params: params(), body })).toMatchObject({
      status: 409,
    });
    await customer.api.get('sortMatcherRules', {
      params: params(),
      body: { version: await versionNow(), order: [3, 1, 2] },
    });
    expect(await notes()).toEqual(['c', 'a', 'b']);
    const info = { params: params(), query: { number: 2 } };
    expect(await customer.api.get('getMatcherRuleInfo', info)).toMatchObject({
      number: 2,
      rule: { note: 'a' },
    });
    expect(await customer.api.call('getMatcherRuleInfo', { ...info, query: { number: 4 } })).toMatchObject({
      status: 400,
    });
    const { list } = await customer.api.get('listSiteRevisions', { params: params(), query: {} });
    expect(list[0]).toMatchObject({ section: 'matcher_rule' });
  });

  it.each([
    ['one that is missing', [1, 2]],
    ['one twice', [1, 1, 2]],
    ['one that is none', [1, 2, 4]],
  ])('refuse an order with %s', async (_name, order) => {
    await answerOf([rule('a'), rule('b'), rule('c')]);
    const body = { version: await versionNow(), order };
    expect(await customer.api.call('sortMatcherRules', { params: params(), body })).toMatchObject({
      status: 400,
      errors: [{ path: expect.stringMatching(/^order/) as unknown }],
    });
  });

  it('take the rules of a template of one’s own, and of no other', async () => {
    const template = { name: 'Mine', rules: [rule('t')] };
    const { id: mine } = await customer.api.get('createWafMatcher', { body: template });
    const { id: theirs } = await other.api.get('createWafMatcher', { body: template });
    const load = async (more: object) =>
      customer.api.call('importMatcherRules', {
        params: params(),
        body: { version: await versionNow(), ...more },
      });
    expect(await load({ template_id: theirs })).toMatchObject({
      status: 400,
      errors: [{ path: 'template_id' }],
    });
    expect(await load({})).toMatchObject({ status: 400, errors: [{ path: 'rules' }] });
    expect(await load({ rules: [{ action: 'tag' }] })).toMatchObject({
      status: 400,
      errors: [{ path: 'rules.0.tag.name' }],
    });
    expect(await load({ template_id: mine, replace: true })).toMatchObject({ status: 200 });
    expect(await notes()).toEqual(['t']);
  });

  it('refuse a list of an address list that is another’s', async () => {
    const condition = {
      items: [{ field: 'address_list' as const, operator: 'in' as const, values: ['999999'] }],
    };
    const body = { version: await versionNow(), rules: [{ action: 'block' as const, condition }] };
    expect(await customer.api.call('importMatcherRules', { params: params(), body })).toMatchObject({
      status: 400,
      errors: [{ path: expect.stringMatching(/^rules/) as unknown }],
    });
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
