import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import type { GuardStepReport } from '@breakwater/contract';
import {
  makeCustomer,
  makeNodeState,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { node } from '../../db/schema.ts';
import { readLocalNode } from '../../seed.ts';
import { recordGuardSteps, settleGuard } from './site-guard.service.ts';

let world: World;
let one: Customer;
let other: Customer;
let local: ControlPlane;
let reporter: { id: number; name: string };
const ending = new AbortController();

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  const { services } = world.server;
  const account = (await readLocalNode(services.database, services.secrets))!;
  local = new ControlPlane({ ...account, url: world.userUrl }, ending.signal);
  const [row] = await services.db.select({ id: node.id, name: node.name }).from(node);
  reporter = row!;
});
afterAll(async () => {
  ending.abort();
  await world.close();
});

const instance = 'f'.repeat(32);
const heard = (instanceId = instance) =>
  world.server.services.db
    .update(node)
    .set({ statusTime: new Date(), state: makeNodeState({ instance_id: instanceId }) })
    .where(eq(node.id, reporter.id));

let clock = 1_800_000_000;
const step = (siteId: number, from: number, level: number, more: Partial<GuardStepReport> = {}) => ({
  site_id: siteId,
  at: clock++,
  path: '',
  from,
  level,
  reason: level > from ? ('requests' as const) : ('quiet' as const),
  value: 900,
  limit: 500,
  ...more,
});
const tell = (...steps: GuardStepReport[]) => local.reportGuardSteps(instance, steps);
const guardOf = (id: number, api = one.api) => api.get('listSiteGuardPlaces', { params: { id }, query: {} });
const historyOf = async (id: number) =>
  (await one.api.get('listSiteGuardSteps', { params: { id }, query: {} })).list.map(
    ({ path, from, level, reason }) => `${path} ${from}>${level} ${reason}`,
  );
const eventsOf = async (id: number) =>
  (await one.api.get('listActivity', { query: { subject_kind: 'site', subject_id: String(id) } })).list
    .filter(({ kind }) => kind.startsWith('guard'))
    .map(({ kind, about }) => [kind, ...about.map(({ name, value }) => `${name}: ${value}`)].join(' '));

it('shows where a site is under attack and every step; its beginning and its end are events', async () => {
  const site = await makeSite(one.api);
  await heard();
  const began = step(site.id, 0, 1, { path: '/login' });
  await tell(began);
  // A report whose answer was lost comes again.
  await tell(began, step(site.id, 0, 1));
  const now = await guardOf(site.id);
  expect(now).toMatchObject({
    total: 2,
    list: [
      { path: '/login', level: 1, reason: 'requests', value: 900, limit: 500, node_name: reporter.name },
      { path: '', level: 1 },
    ],
  });
  expect(await eventsOf(site.id)).toEqual(['guard_escalated url: /login sign: requests measured: 900 > 500']);
  await tell(step(site.id, 1, 0, { path: '/login' }));
  expect((await guardOf(site.id)).total).toBe(1);
  await tell(step(site.id, 1, 2, { reason: 'passed' }), step(site.id, 2, 1), step(site.id, 1, 0));
  expect(await guardOf(site.id)).toMatchObject({ list: [], total: 0 });
  expect(await eventsOf(site.id)).toEqual([
    'guard_calmed',
    'guard_escalated url: /login sign: requests measured: 900 > 500',
  ]);
  expect(await historyOf(site.id)).toEqual([
    ' 1>0 quiet',
    ' 2>1 quiet',
    ' 1>2 passed',
    '/login 1>0 quiet',
    ' 0>1 requests',
    '/login 0>1 requests',
  ]);
});

it('takes nothing of sites that the node does not serve, and shows none to others', async () => {
  const site = await makeSite(one.api);
  const { db } = world.server.services;
  const stranger = { id: 4711, name: 'stranger' };
  expect(await recordGuardSteps(db, stranger, instance, [step(site.id, 0, 1)])).toBe(0);
  expect(await recordGuardSteps(db, reporter, instance, [step(999_999, 0, 1)])).toBe(0);
  expect(await guardOf(site.id)).toMatchObject({ list: [], total: 0 });
  const params = { id: site.id };
  for (const [api, status] of [
    [other.api, 404],
    [world.anonymous, 401],
  ] as const) {
    expect((await api.call('listSiteGuardPlaces', { params, query: {} })).status).toBe(status);
    expect((await api.call('listSiteGuardSteps', { params, query: {} })).status).toBe(status);
    expect((await api.call('getCcGuardianRule', { params })).status).toBe(status);
    const body = { version: 1, value: { mode: 'off' } };
    expect((await api.call('updateCcGuardianRule', { params, body: body as never })).status).toBe(status);
  }
  const reader = { headers: { authorization: 'Bearer nobody' } };
  const refused = await fetch(`${world.userUrl}/node-api/guard_steps`, { method: 'POST', ...reader });
  expect(refused.status).toBe(401);
});

it('ends what a node said that is silent or whose nginx began anew, and is told at most once', async () => {
  const { db } = world.server.services;
  const site = await makeSite(one.api);
  await heard();
  await tell(step(site.id, 0, 1), step(site.id, 0, 1, { path: '/a' }));
  await settleGuard(db);
  expect((await guardOf(site.id)).total).toBe(2);
  await heard('e'.repeat(32));
  await settleGuard(db);
  expect((await guardOf(site.id)).total).toBe(0);
  await tell(step(site.id, 0, 1));
  await heard();
  await db.execute(sql`UPDATE node SET status_time = now() - interval '10 minutes'`);
  await Promise.all([settleGuard(db), settleGuard(db)]);
  expect(await guardOf(site.id)).toMatchObject({ list: [], total: 0 });
  expect((await eventsOf(site.id)).map((text) => text.split(' ')[0])).toEqual([
    'guard_calmed',
    'guard_escalated',
    'guard_calmed',
    'guard_escalated',
  ]);
  expect((await historyOf(site.id)).filter((line) => line.endsWith('off'))).toHaveLength(3);
  await db.execute(sql`UPDATE guard_step SET created_at = now() - interval '31 days'`);
  await settleGuard(db);
  expect(await historyOf(site.id)).toEqual([]);
});

it('refuses what makes no rule, at its field and in both languages', async () => {
  const site = await makeSite(one.api);
  const params = { id: site.id };
  const { version } = await one.api.get('getCcGuardianRule', { params });
  const refused = async (value: object, path: string) => {
    const body = { version, value } as never;
    expect(await one.api.call('updateCcGuardianRule', { params, body })).toMatchObject({
      status: 400,
      errors: [{ path }],
    });
  };
  const rule = (more: object) => ({ mode: 'normal', rules: [more] });
  await refused({ mode: 'calm' }, 'value.mode');
  await refused(rule({ action: 'ban', hold_seconds: 5 }), 'value.rules.0.hold_seconds');
  await refused(rule({ count: 'answers' }), 'value.rules.0.answers.statuses');
  await refused(
    rule({ count: 'answers', answers: { statuses: ['40'] } }),
    'value.rules.0.answers.statuses.0',
  );
  await refused(rule({ key: [{ part: 'header' }] }), 'value.rules.0.key.0.name');
  await refused(rule({ key: [{ part: 'header', name: 'a b' }] }), 'value.rules.0.key.0.name');
  await refused(rule({ key: Array.from({ length: 4 }, () => ({ part: 'address' })) }), 'value.rules.0.key');
  await refused({ mode: 'normal', rules: Array.from({ length: 51 }, () => ({})) }, 'value.rules');
  await refused({ mode: 'normal', attack_until: 'tomorrow' }, 'value.attack_until');
  const saved = await one.api.get('updateCcGuardianRule', {
    params,
    body: { version, value: { mode: 'strict', rules: [{ action: 'limit' }] } } as never,
  });
  expect(saved.version).toBe(version + 1);
  const [{ body } = { body: '' }] = (
    await world.server.services.db.execute(
      sql`SELECT body FROM edge_document WHERE kind = 'site' AND key = ${String(site.id)} LIMIT 1`,
    )
  ).rows;
  expect(JSON.parse(String(body))).toMatchObject({
    cc_guardian_rule: { mode: 'strict', rules: [{ action: 'limit' }] },
    needs: ['action.limit', 'section.cc_guardian_rule'],
  });
});
