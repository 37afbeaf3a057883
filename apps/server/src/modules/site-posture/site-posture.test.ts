import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
let one: Customer;
let id: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  ({ id } = await makeSite(one.api));
});
afterAll(() => world.close());

const posture = async () => (await one.api.get('getSitePosture', { params: { id } })).posture!;

it('says of a new site that nothing is on, and what to begin with', async () => {
  expect(await posture()).toMatchObject({
    https: { state: 'off', redirect: false },
    matcher_rule: { state: 'off', enforcing: 0, observing: 0 },
    browser_verify_rule: { state: 'off' },
    used_system_rule: { state: 'off' },
    bans: 0,
    cc_guardian_rule: { state: 'off', mode: 'off', rules: 0 },
    advice: ['https_certificate', 'system_rules_off', 'cc_guard_off', 'rate_limit'],
  });
});

it('says what acts, what only observes and what is over, with what levels say', async () => {
  const params = { id };
  const matchers = await one.api.get('getMatcherRule', { params });
  const rules = [
    { action: 'block', mode: 'enforce' },
    { action: 'block', mode: 'observe' },
    { action: 'block', enabled: false },
    { action: 'block', until: '2020-01-01T00:00:00Z' },
  ];
  await one.api.get('updateMatcherRule', {
    params,
    body: { version: matchers.version, value: { rules } as never },
  });
  const detection = await one.api.get('getUsedSystemRule', { params });
  await one.api.get('updateUsedSystemRule', {
    params,
    body: { version: detection.version, value: { mode: 'observe', sql: 'strict', body_bytes: 0 } as never },
  });
  const query = { level: 'global', section: 'browser_verify_rule' } as const;
  const level = await world.admin.get('getSiteLevelSection', { query });
  await world.admin.get('updateSiteLevelSection', {
    query,
    body: { version: level.version, value: { enabled: true, kind: 'slide' } },
  });
  await one.api.get('createSiteRejects', {
    body: { scope: 'site', site_id: id, remote_addrs: ['8.8.4.4'], seconds: 3600 },
  });
  await one.api.get('createSiteRejects', {
    body: { scope: 'client', remote_addrs: ['9.9.9.9'], seconds: 3600 },
  });
  const found = await posture();
  expect(found).toMatchObject({
    matcher_rule: { state: 'on', enforcing: 1, observing: 1 },
    browser_verify_rule: { state: 'on', kind: 'slide' },
    used_system_rule: { state: 'partial' },
    bans: 2,
    advice: [
      'https_certificate',
      'system_rules_observe',
      'system_rules_body',
      'matchers_observe',
      'cc_guard_off',
      'rate_limit',
    ],
  });
  const { groups } = found.used_system_rule;
  expect(groups.find(({ group }) => group === 'sql')?.mode).toBe('strict');
  expect(groups.find(({ group }) => group === 'xss')?.mode).toBe('observe');
});

it('is for who may see the site', async () => {
  const other = await makeCustomer(world);
  expect((await other.api.call('getSitePosture', { params: { id } })).status).toBe(404);
  expect((await world.anonymousUser.call('getSitePosture', { params: { id } })).status).toBe(401);
  expect((await world.admin.call('getSitePosture', { params: { id } })).status).toBe(200);
});

it('says how CC guard stands, and under attack only as long as that lasts', async () => {
  const params = { id };
  const save = async (value: object) => {
    const { version } = await one.api.get('getCcGuardianRule', { params });
    await one.api.get('updateCcGuardianRule', { params, body: { version, value: value as never } });
    const { cc_guardian_rule, advice } = await posture();
    return { ...cc_guardian_rule, advice: advice.filter((name) => name.startsWith('cc_')) };
  };
  const rules = [{ action: 'limit' }, { action: 'block', enabled: false }];
  expect(await save({ mode: 'watch', rules })).toEqual({
    state: 'observe',
    mode: 'watch',
    rules: 1,
    advice: ['cc_guard_watch'],
  });
  const until = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const calm = { state: 'on', mode: 'normal', rules: 0, advice: [] };
  expect(await save({ mode: 'normal', attack_until: until(60) })).toEqual({ ...calm, mode: 'under_attack' });
  expect(await save({ mode: 'normal', attack_until: until(-60) })).toEqual(calm);
});
