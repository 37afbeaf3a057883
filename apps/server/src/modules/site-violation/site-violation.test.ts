import { errors } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  saveSetting,
  startWorld,
  trySetting,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { siteViolation } from '../../db/schema.ts';

let world: World;
let one: Customer;
let other: Customer;
let own: { id: number; domain: string };
let foreign: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  own = await makeSite(one.api);
  foreign = await makeSite(other.api);
  const row = (site: { id: number; domain: string }, word: string, day: number) => ({
    siteId: site.id,
    host: site.domain,
    requestUri: `/${word}.html`,
    word,
    excerpt: `what says ${word} here`,
    action: word === 'gambling' ? ('blocked' as const) : ('recorded' as const),
    createdAt: new Date(`2026-03-0${day}T23:30:00Z`),
  });
  await world.server.services.db
    .insert(siteViolation)
    .values([
      row(own, 'gambling', 1),
      row(own, 'gambling', 2),
      row(own, 'fraud', 2),
      row(foreign, 'gambling', 4),
    ]);
});
afterAll(() => world.close());

it('are listed newest first, by site, host, word, action and time, each customer their own', async () => {
  const found = async (api: Customer['api'], query: object = {}) =>
    (await api.get('listSiteViolations', { query })).list.map(({ word }) => word);
  expect(await found(world.admin)).toEqual(['gambling', 'fraud', 'gambling', 'gambling']);
  expect(await found(one.api, { action: 'blocked' })).toEqual(['gambling', 'gambling']);
  expect(await found(one.api, { word: 'FRAU' })).toEqual(['fraud']);
  expect(await found(one.api, { host: own.domain.toUpperCase(), end_time: '2026-03-02T00:00:00Z' })).toEqual([
    'gambling',
  ]);
  expect(await found(one.api, { site_id: foreign.id })).toEqual([]);
  expect(await found(world.admin, { client_id: other.id })).toEqual(['gambling']);
});

it('are counted in all, by day, site and word', async () => {
  expect(await world.admin.get('getSiteViolationStats', { query: {} })).toEqual({
    total: 4,
    blocked: 3,
    submitted: 0,
    days: [
      { time: '2026-03-01T00:00:00.000Z', count: 1 },
      { time: '2026-03-02T00:00:00.000Z', count: 2 },
      { time: '2026-03-03T00:00:00.000Z', count: 0 },
      { time: '2026-03-04T00:00:00.000Z', count: 1 },
    ],
    sites: [
      { name: own.domain, count: 3 },
      { name: foreign.domain, count: 1 },
    ],
    words: [
      { name: 'gambling', count: 3 },
      { name: 'fraud', count: 1 },
    ],
    categories: [],
  });
  expect(await other.api.get('getSiteViolationStats', { query: {} })).toMatchObject({ total: 1, blocked: 1 });
});

it('a reversed range is refused at its end', async () => {
  const query = { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' };
  for (const name of ['listSiteViolations', 'getSiteViolationStats'] as const)
    expect(await world.admin.call(name, { query })).toMatchObject({
      status: 400,
      errors: [{ path: 'end_time' }],
    });
});

describe('a violation', () => {
  const insert = async (siteId: number) => {
    const [row] = await world.server.services.db
      .insert(siteViolation)
      .values({ siteId, host: own.domain, requestUri: '/x', word: 'w', excerpt: '', action: 'recorded' })
      .returning({ id: siteViolation.id });
    return row!.id;
  };
  type Decision = 'confirm' | 'dismiss' | 'offline' | 'lift' | 'suspend';
  const rowOf = async (id: number) =>
    (await world.admin.get('listSiteViolations', { query: { ids: String(id) } })).list[0]!;
  const decideSeen = (
    id: number,
    body: { version: number; decision: Decision; note?: string },
    api = world.admin,
  ) => api.call('decideSiteViolation', { params: { id }, body });
  const decide = async (id: number, decision: Decision, note = '') => {
    const { version } = await rowOf(id);
    return world.admin.get('decideSiteViolation', { params: { id }, body: { version, decision, note } });
  };
  const appealSeen = (id: number, body: { version: number; appeal: string }, api = one.api) =>
    api.call('appealSiteViolation', { params: { id }, body });
  const appeal = async (id: number, text = 'it is gone') =>
    appealSeen(id, { version: (await rowOf(id)).version, appeal: text });
  const stale = { status: 409, code: errors.stale_version.code };
  const statusesOf = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  it('is appealed against once until it is decided, and not when it was dismissed', async () => {
    const id = await insert(own.id);
    expect(await appeal(id, ' ')).toMatchObject({ status: 400, errors: [{ path: 'appeal' }] });
    expect((await appeal(id)).status).toBe(200);
    expect(await appeal(id)).toMatchObject({ status: 400, errors: [{ path: 'appeal' }] });
    const waiting = await world.admin.get('listSiteViolations', { query: { appealed: 'yes' } });
    expect(waiting.list).toMatchObject([{ id, appeal: 'it is gone' }]);
    await decide(id, 'confirm', 'it is still there');
    expect((await world.admin.get('listSiteViolations', { query: { appealed: 'yes' } })).total).toBe(0);
    expect((await appeal(id, 'now it is gone')).status).toBe(200);
    await decide(id, 'dismiss');
    expect((await appeal(id)).status).toBe(400);
  });

  it('that is decided takes the page of all that was found in it offline and back', async () => {
    const [id, beside] = [await insert(own.id), await insert(own.id)];
    await decide(id, 'offline');
    expect([await rowOf(id), await rowOf(beside)]).toMatchObject([
      { action: 'blocked', state: 'confirmed' },
      { action: 'blocked', state: 'open' },
    ]);
    await decide(beside, 'lift');
    expect((await rowOf(id)).action).toBe('recorded');
    expect((await decide(id, 'lift')).task_id).toBeNull();
  });

  it('may have its site suspended, with the note, only by a decision of an operator', async () => {
    const site = await makeSite(one.api);
    const id = await insert(site.id);
    await decide(id, 'suspend', 'see the terms');
    expect(await one.api.get('getSite', { params: { id: site.id } })).toMatchObject({
      status: 'suspended',
      status_note: 'see the terms',
    });
  });

  it('is decided by one of two who saw the same, and nothing follows from the other’s', async () => {
    const site = await makeSite(one.api);
    const id = await insert(site.id);
    const { api: colleague } = await makeAdministrator(world, [
      'site_violation.read',
      'site_violation.decide',
    ]);
    const seen = { version: (await rowOf(id)).version };
    const [dismissed, suspended] = await Promise.all([
      decideSeen(id, { ...seen, decision: 'dismiss', note: 'a quotation' }, colleague),
      decideSeen(id, { ...seen, decision: 'suspend', note: 'see the terms' }),
    ]);
    expect(statusesOf([dismissed, suspended])).toEqual([200, 409]);
    const taken = dismissed.status === 200 ? 'dismiss' : 'suspend';
    expect(taken === 'dismiss' ? suspended : dismissed).toMatchObject(stale);
    expect(await rowOf(id)).toMatchObject(
      taken === 'dismiss'
        ? { state: 'dismissed', note: 'a quotation' }
        : { state: 'confirmed', note: 'see the terms' },
    );
    const { status } = await one.api.get('getSite', { params: { id: site.id } });
    expect(status === 'suspended').toBe(taken === 'suspend');
    const { list } = await world.admin.get('listActivity', {
      query: { subject_kind: 'site', subject_id: site.id },
    });
    expect(list.filter(({ kind }) => kind === 'violation_decided')).toHaveLength(1);
  });

  it('is not decided unseen: not over an appeal, nor over what its page has become', async () => {
    const [id, beside] = [await insert(own.id), await insert(own.id)];
    const { version } = await rowOf(id);
    const confirm = { version, decision: 'confirm' as const };
    await appeal(id, 'it is a quotation');
    expect(await decideSeen(id, confirm)).toMatchObject(stale);
    expect((await world.admin.get('listSiteViolations', { query: { appealed: 'yes' } })).list).toMatchObject([
      { id, appeal: 'it is a quotation' },
    ]);
    const before = await rowOf(beside);
    await decide(id, 'offline');
    expect(await decideSeen(beside, { version: before.version, decision: 'dismiss' })).toMatchObject(stale);
    expect(await rowOf(id)).toMatchObject({ action: 'blocked' });
    await decide(id, 'lift');
  });

  it('is appealed against by one of two, and not over a decision that nobody has read', async () => {
    const id = await insert(own.id);
    const { version } = await rowOf(id);
    const both = await Promise.all(
      ['it is gone', 'it is a quotation'].map((text) => appealSeen(id, { version, appeal: text })),
    );
    expect(statusesOf(both)).toEqual([200, 409]);
    const seen = await rowOf(id);
    await decide(id, 'confirm', 'it is still there');
    expect(await appealSeen(id, { version: seen.version, appeal: 'gone by now' })).toMatchObject(stale);
    expect(await rowOf(id)).toMatchObject({ appeal: seen.appeal, note: 'it is still there' });
  });

  it('of a site that is suspended already leaves the note that its customer has read, and adds its own', async () => {
    const site = await makeSite(one.api);
    const ids = [await insert(site.id), await insert(site.id), await insert(site.id)] as const;
    await decide(ids[0], 'suspend', 'see the terms');
    await decide(ids[1], 'suspend');
    await decide(ids[2], 'suspend', 'the same on another page');
    await decide(ids[1], 'suspend', 'see the terms');
    expect(await one.api.get('getSite', { params: { id: site.id } })).toMatchObject({
      status: 'suspended',
      status_note: 'see the terms\nthe same on another page',
    });
  });

  it('is nobody else’s business', async () => {
    const id = await insert(own.id);
    const params = { id };
    const decision = { params, body: { version: 1, decision: 'offline' as const } };
    const said = { params, body: { version: 1, appeal: 'mine' } };
    const visit = { body: { site_id: own.id } };
    expect((await world.anonymous.call('decideSiteViolation', decision)).status).toBe(401);
    expect((await world.anonymousUser.call('appealSiteViolation', said)).status).toBe(401);
    expect((await world.anonymous.call('visitSite', visit)).status).toBe(401);
    expect((await one.api.call('decideSiteViolation', decision)).status).toBe(404);
    expect((await one.api.call('visitSite', visit)).status).toBe(404);
    expect((await one.api.call('getHttpFilterSetting', {})).status).toBe(404);
    expect((await one.api.call('getHttpFilterState', {})).status).toBe(404);
    expect((await other.api.call('appealSiteViolation', said)).status).toBe(404);
    const { api } = await makeAdministrator(world, ['site_violation.read', 'setting.read']);
    expect((await api.call('decideSiteViolation', decision)).status).toBe(403);
    expect((await api.call('appealSiteViolation', said)).status).toBe(403);
    expect((await api.call('visitSite', visit)).status).toBe(403);
    expect((await trySettingAs(api)).status).toBe(403);
  });
});

const trySettingAs = (api: Customer['api']) =>
  api.call('updateHttpFilterSetting', { body: { version: 0, value: {} } });

it('the setting takes 100,000 words and refuses what is none, at its field', async () => {
  const words = Array.from({ length: 100_000 }, (_, n) => `word ${n}`);
  const of = (category: object) => ({ enabled: false, categories: [{ name: 'one', ...category }] });
  await saveSetting(world, 'HttpFilterSetting', of({ words }));
  await saveSetting(world, 'HttpFilterSetting', of({ words: words.slice(1) }));
  for (const [category, path] of [
    [{ words: ['x'] }, 'value.categories.0.words.0'],
    [{ patterns: ['plain'] }, 'value.categories.0.patterns.0'],
    [{ patterns: ['a*'] }, 'value.categories.0.patterns.0'],
    [{ content_hashes: ['abc'] }, 'value.categories.0.content_hashes.0'],
    [{ image_hashes: ['abc'] }, 'value.categories.0.image_hashes.0'],
    [{ name: '' }, 'value.categories.0.name'],
  ] as const)
    expect(await trySetting(world, 'HttpFilterSetting', of(category))).toMatchObject({
      status: 400,
      errors: [{ path }],
    });
  const twice = { categories: [{ name: 'one' }, { name: 'one' }] };
  expect(await trySetting(world, 'HttpFilterSetting', twice)).toMatchObject({
    status: 400,
    errors: [{ path: 'value.categories.1.name' }],
  });
});

it('a picture is told by what it looks like to operators who may change the setting, and what is none is refused', async () => {
  const ask = (api: typeof world.admin, image: string) => api.call('hashImage', { body: { image } });
  const none = Buffer.from('no picture').toString('base64');
  expect(await ask(world.admin, none)).toMatchObject({ status: 400, errors: [{ path: 'image' }] });
  expect(await ask(world.admin, 'no base64!')).toMatchObject({ status: 400, errors: [{ path: 'image' }] });
  const large = await ask(world.admin, Buffer.alloc(2_200_000).toString('base64'));
  expect(large).toMatchObject({ status: 400, errors: [{ path: 'image' }] });
  expect(await ask(world.anonymous, none)).toMatchObject({ status: 401 });
  const { api } = await makeAdministrator(world, ['site_violation.read', 'setting.read']);
  expect(await ask(api, none)).toMatchObject({ status: 403 });
});
