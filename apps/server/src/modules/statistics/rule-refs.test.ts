import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let customer: Customer;
let one: { id: number; domain: string };
let two: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  [one, two] = [await makeSite(customer.api), await makeSite(customer.api)];
  await setRules(one, [rule('Office only'), rule('Scanners')]);
  await setRules(two, [rule('No tools'), rule('')]);
});
afterAll(() => world.close());

const rule = (note: string) => ({
  action: 'deny' as const,
  note,
  only_paths: [`/${encodeURIComponent(note)}`],
});

async function setRules(site: { id: number }, rules: object[], by = customer.api): Promise<void> {
  const query = { site_id: site.id };
  const { value, version } = await by.get('getAccessControl', { query });
  await by.get('updateAccessControl', {
    query,
    body: { version, value: { ...value, rules } as typeof value },
  });
}

let offset = 0;
async function refuse(decisions: [site: { id: number }, decision: string, waf?: string][]): Promise<void> {
  const { order_id, client_id } = await customer.api.get('getSite', { params: { id: one.id } });
  const lines = decisions.map(([site, decision, waf = ''], index) =>
    makeLine({
      time: new Date().toISOString(),
      request_id: `${offset}${index}`.padStart(32, '0'),
      site_id: site.id,
      order_id,
      client_id,
      decision,
      waf,
      status: 403,
    }),
  );
  const bytes = toBytes(lines);
  await world.server.services.logStore.ingest({ nodeId: 1, file: 'access.1', offset, lines: bytes });
  offset += bytes.length;
}
const rangeNow = () => ({
  start_time: new Date(Date.now() - 3_600_000).toISOString(),
  end_time: new Date(Date.now() + 60_000).toISOString(),
});

describe('the rules of refusals', () => {
  it('are not those of other sites, and have the names that people gave them', async () => {
    await refuse([
      [one, 'access_control 1'],
      [two, 'access_control 1'],
      [two, 'access_control 1'],
      [two, 'access_control 2'],
      [two, 'block_referer empty'],
    ]);
    const { top_refusals } = await customer.api.get('getAttackStats', { query: rangeNow() });
    const ofSite = (site: { id: number }, name: string, place: number) => ({
      rule: { name, place, level: 'site', target_id: site.id },
    });
    expect(top_refusals.ranks).toMatchObject([
      { name: `${two.id} access_control 1`, label: two.domain, requests: 2, ...ofSite(two, 'No tools', 0) },
      {
        name: `${one.id} access_control 1`,
        label: one.domain,
        requests: 1,
        ...ofSite(one, 'Office only', 0),
      },
      { name: `${two.id} access_control 2`, requests: 1, ...ofSite(two, '', 1) },
      { name: `${two.id} block_referer empty`, requests: 1 },
    ]);
    expect(top_refusals.ranks[3]).not.toHaveProperty('rule');
  });

  it('are told by the configuration of their time, and where they stand now', async () => {
    await refuse([[one, 'access_control 2']]);
    await setRules(one, [rule('Scanners'), rule('Newcomer')]);
    const rows = await customer.api.get('listRefusedRequests', { query: { site_id: one.id, ...rangeNow() } });
    const byDecision = new Map(rows.list.map((row) => [row.decision, row.rule]));
    expect(byDecision.get('access_control 2')).toEqual({
      section: 'access_control',
      name: 'Scanners',
      place: 0,
      level: 'site',
      target_id: one.id,
    });
    // It is gone.
    expect(byDecision.get('access_control 1')).toMatchObject({ name: 'Office only', place: null });
  });

  it('of a level are told as well, and of no rule nothing', async () => {
    await world.admin.get('updateSiteLevelSection', {
      query: { level: 'global', section: 'access_control' },
      body: { version: 0, value: { rules: [rule('Everywhere')], deny: {} } },
    });
    const { version } = await customer.api.get('getMatcherRule', { params: { id: two.id } });
    await customer.api.get('updateMatcherRule', {
      params: { id: two.id },
      body: { version, value: { rules: [{ action: 'block', note: 'Robots' }] } },
    });
    await refuse([
      [two, 'matcher_rule 1'],
      // Matcher rules were saved last, which makes no rule of another section one of theirs.
      [two, 'access_control 1'],
      [two, 'access_control global 1'],
      [two, 'access_control otherwise'],
      [two, 'access_control 99'],
    ]);
    const { list } = await customer.api.get('listRefusedRequests', {
      query: { site_id: two.id, ...rangeNow() },
    });
    const ruleOf = (decision: string) => list.find((row) => row.decision === decision)?.rule;
    expect(ruleOf('access_control global 1')).toEqual({
      section: 'access_control',
      name: 'Everywhere',
      place: 0,
      level: 'global',
      target_id: 0,
    });
    expect(ruleOf('matcher_rule 1')).toEqual({
      section: 'matcher_rule',
      name: 'Robots',
      place: 0,
      level: 'site',
      target_id: two.id,
    });
    expect(ruleOf('access_control 1')).toMatchObject({ section: 'access_control', name: 'No tools' });
    expect(ruleOf('access_control otherwise')).toBeNull();
    expect(ruleOf('access_control 99')).toBeNull();
  });

  it('are told of each note as well', async () => {
    const waf = 'access_control global 1=observe; used_system_rule sql=observe; matcher_rule 1=block';
    await refuse([[two, 'matcher_rule 1', waf]]);
    const { list } = await customer.api.get('listRefusedRequests', {
      query: { site_id: two.id, ...rangeNow() },
    });
    const names = list.find((row) => row.waf === waf)!.waf_rules.map((each) => each && each.name);
    expect(names).toEqual(['Everywhere', null, 'Robots']);
    expect(list.find((row) => row.waf === '')!.waf_rules).toEqual([]);
  });

  it('of CC guard are those that the site has, or inherits from the nearest level that has some', async () => {
    const guardOf = async (note: string) => {
      await refuse([[two, 'cc_guardian_rule 1']]);
      const { list } = await customer.api.get('listRefusedRequests', {
        query: { site_id: two.id, ...rangeNow() },
      });
      return list.filter(
        ({ decision, rule: named }) => decision === 'cc_guardian_rule 1' && named?.name === note,
      );
    };
    const ruleOf = (note: string) => ({ mode: 'normal' as const, rules: [{ note }] });
    expect(await guardOf('Search')).toEqual([]);
    await world.admin.get('updateSiteLevelSection', {
      query: { level: 'global', section: 'cc_guardian_rule' },
      body: { version: 1, value: ruleOf('Search') },
    });
    const inherited = await guardOf('Search');
    expect(inherited.map(({ rule: named }) => named)).toEqual([
      { section: 'cc_guardian_rule', name: 'Search', place: 0, level: 'global', target_id: 0 },
    ]);
    const params = { id: two.id };
    const { version } = await customer.api.get('getCcGuardianRule', { params });
    await customer.api.get('updateCcGuardianRule', { params, body: { version, value: ruleOf('Login') } });
    const own = await guardOf('Login');
    expect(own.map(({ rule: named }) => named)).toEqual([
      { section: 'cc_guardian_rule', name: 'Login', place: 0, level: 'site', target_id: two.id },
    ]);
    // One without a name is told by what it does.
    const unnamed = { mode: 'normal' as const, rules: [{ requests: 7, action: 'block' as const }] };
    await customer.api.get('updateCcGuardianRule', {
      params,
      body: { version: version + 1, value: unnamed },
    });
    const [{ rule: told } = { rule: null }] = await guardOf('');
    expect(told).toMatchObject({ outline: { rule: { requests: 7, period_seconds: 10, action: 'block' } } });
    // What was before is told by what was then.
    expect(await guardOf('Search')).toHaveLength(1);
    expect(own[0]!.request_id).not.toBe(inherited[0]!.request_id);
  });

  it('of a rule without a name say what it does: the beginning of its lists, and names of lists that are its customer’s to know', async () => {
    const list = { name: 'Scanners', content: '192.0.2.1' };
    const { id: own } = await customer.api.get('createAddressList', { body: list });
    const { id: platform } = await world.admin.get('createAddressList', {
      body: { ...list, name: 'Hidden' },
    });
    const only_paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    only_paths[0] = `/${'x'.repeat(200)}`;
    // An operator may name lists of the platform in a site's rules: its customer does not come to know them by that.
    await setRules(one, [{ action: 'deny', address_lists: [own, platform], only_paths }], world.admin);
    const { version } = await world.admin.get('getSiteLevelSection', {
      query: { level: 'global', section: 'access_control' },
    });
    const ofLevel = { action: 'deny' as const, address_lists: [platform] };
    await world.admin.get('updateSiteLevelSection', {
      query: { level: 'global', section: 'access_control' },
      body: { version, value: { rules: [ofLevel], deny: {} } },
    });
    await refuse([
      [one, 'access_control 1'],
      [one, 'access_control global 1'],
    ]);
    const { list: rows } = await customer.api.get('listRefusedRequests', {
      query: { site_id: one.id, ...rangeNow() },
    });
    const ruleOf = (decision: string) => rows.find((row) => row.decision === decision)?.rule;
    expect(ruleOf('access_control 1')).toMatchObject({
      name: '',
      outline: {
        rule: {
          action: 'deny',
          address_lists: [own, platform],
          only_paths: [`/${'x'.repeat(79)}…`, ...only_paths.slice(1, 5)],
        },
        lists: [{ id: own, name: 'Scanners' }],
      },
    });
    expect(ruleOf('access_control global 1')).toMatchObject({
      name: '',
      outline: { rule: { address_lists: [platform] }, lists: [] },
    });
    const seen = await world.admin.get('listRefusedRequests', {
      query: { site_id: one.id, ...rangeNow() },
    });
    const listsOf = (decision: string) =>
      seen.list.find((row) => row.decision === decision)?.rule?.outline?.lists.map(({ name }) => name);
    expect(listsOf('access_control 1')?.toSorted()).toEqual(['Hidden', 'Scanners']);
    expect(listsOf('access_control global 1')).toEqual(['Hidden']);
    // Of a list that is gone it is said, to whomever.
    await setRules(one, [{ action: 'deny', only_paths: ['/'] }], world.admin);
    await customer.api.get('removeAddressList', { params: { id: own } });
    const left = await customer.api.get('listRefusedRequests', {
      query: { site_id: one.id, ...rangeNow() },
    });
    const was = left.list.find(({ decision }) => decision === 'access_control 1');
    expect(was?.rule?.outline?.lists).toEqual([{ id: own, name: null }]);
  });
});
