import { membersMax, userPermissions, type UserPermission } from '@breakwater/contract';
import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type Customer,
  type Member,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { accountSession, apiToken, event, member, signInAttempt, siteBatch } from '../../db/schema.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';

let world: World;
let owner: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  owner = await makeCustomer(world);
});
afterAll(() => world.close());

const password = 'a long password';
const bodyOf = (permissions: UserPermission[], more: object = {}) => ({
  name: unique('Member'),
  email: `${unique('member')}@example.com`,
  password,
  permissions,
  ...more,
});
const make = (permissions: UserPermission[], siteIds: number[] = []) =>
  makeMember(world, owner.api, permissions, siteIds);
/** What a save takes of what was read, with what is to change. */
async function save(by: ApiClient, id: number, change: object) {
  const { name, email, permissions, site_ids, enabled, version } = await world.admin.get('getMember', {
    params: { id },
  });
  const body = { name, email, permissions, site_ids, enabled, version, ...change };
  return by.call('updateMember', { params: { id }, body });
}
const revoked = { status: 401, code: 406 };

describe('a member of a customer’s account', () => {
  it('signs in by e-mail where customers do, and does what it was given for what is the customer’s', async () => {
    const site = await makeSite(owner.api);
    const foreign = await makeSite((await makeCustomer(world)).api);
    const { api, id, email } = await make(['site.read', 'site.write']);
    expect(await api.get('currentAccount', {})).toMatchObject({
      user_id: id,
      email,
      role: 'user',
      permissions: ['site.read', 'site.write'],
      limited: false,
    });
    const listed = async () => (await api.get('listSites', { query: {} })).list.map((each) => each.id);
    expect(await listed()).toContain(site.id);
    expect(await listed()).not.toContain(foreign.id);
    expect(await api.call('getSite', { params: { id: foreign.id } })).toMatchObject({ status: 404 });
    expect(await api.call('listCertificates', { query: {} })).toMatchObject({ status: 403 });
    expect(await api.call('removeSite', { params: { id: site.id } })).toMatchObject({ status: 403 });
    // What a member makes is the customer's.
    const made = await makeSite(api);
    expect(await owner.api.get('getSite', { params: { id: made.id } })).toMatchObject({
      client_id: owner.id,
    });
  });

  it('has a menu, and a search, of what it may see', async () => {
    const { api } = await make(['site.read', 'certificate.read']);
    const told = JSON.stringify(await api.get('getMenu', {}));
    for (const path of ['/dashboard/site/list', '/dashboard/site/certificate']) expect(told).toContain(path);
    for (const path of ['/dashboard/finance/order', '/dashboard/client/create', '/dashboard/site/tags'])
      expect(told).not.toContain(path);
    const { domain } = await makeSite(owner.api);
    const found = await api.get('search', { query: { keyword: domain } });
    expect(JSON.stringify(found)).toContain(domain);
  });

  it('has an account of its own: profile, password, sessions, two-factor authentication, API tokens', async () => {
    const { api, id, email } = await make(['site.read', 'tag.read']);
    const changed = `${unique('member')}@example.com`;
    await api.get('updateProfile', { body: { name: 'Ann', email: changed, password, version: 1 } });
    expect(await owner.api.get('getMember', { params: { id } })).toMatchObject({
      name: 'Ann',
      email: changed,
      version: 2,
    });
    expect(await world.anonymousUser.call('signInClient', { body: { email, password } })).toMatchObject({
      status: 401,
    });
    const again = await world.signInClient(changed, password);
    expect((await again.get('listSessions', { query: {} })).total).toBe(2);
    await again.get('changeOwnPassword', {
      body: { current_password: password, password: 'another password' },
    });
    expect(await api.call('currentAccount', {})).toMatchObject(revoked);
    const { otpauth_uri } = await again.get('startTwoFactor', { body: { password: 'another password' } });
    expect(otpauth_uri).toContain(encodeURIComponent(changed));
    // The customer's own account is untouched.
    expect(await owner.api.get('listApiTokens', { query: {} })).toMatchObject({ total: 0 });
    expect(await owner.api.get('currentAccount', {})).toMatchObject({
      user_id: owner.id,
      email: owner.email,
    });
  });

  it('gives an API token a part of its permissions and of its sites, and no more than it holds by then', async () => {
    const [first, second] = [await makeSite(owner.api), await makeSite(owner.api)];
    const limited = await make(['site.read', 'site.write'], [first.id]);
    const tokenBody = { name: 'x', expires_at: null, password, permissions: ['site.read' as const] };
    for (const refused of [{ permissions: ['tag.read' as const] }, { site_ids: [second.id] }])
      expect(await limited.api.call('createApiToken', { body: { ...tokenBody, ...refused } })).toMatchObject({
        status: 400,
        errors: [{ path: Object.keys(refused)[0] }],
      });
    const { token } = await limited.api.get('createApiToken', { body: tokenBody });
    const program = makeApiClient(() => world.userUrl, token);
    const reached = async () => (await program.get('listSites', { query: {} })).list.map(({ id }) => id);
    expect(await reached()).toEqual([first.id]);
    expect(await program.call('getCacheRule', { query: { site_id: second.id } })).toMatchObject({
      status: 404,
    });
    await save(owner.api, limited.id, { site_ids: [second.id] });
    expect(await reached()).toEqual([second.id]);
    await save(owner.api, limited.id, { permissions: [] });
    expect(await program.call('listSites', { query: {} })).toMatchObject({ status: 403 });
    await save(owner.api, limited.id, { permissions: ['site.read'], enabled: false });
    expect(await program.call('listSites', { query: {} })).toMatchObject({ status: 401, code: 40_103 });
    await owner.api.get('removeMember', { params: { id: limited.id } });
    expect(await program.call('listSites', { query: {} })).toMatchObject({ status: 401, code: 40_103 });
    const { db } = world.server.services;
    expect(await db.$count(apiToken, eq(apiToken.memberId, limited.id))).toBe(0);
  });

  it('keeps a token for several sites within its own', async () => {
    const [first, second] = [await makeSite(owner.api), await makeSite(owner.api)];
    const { api, id } = await make(['site.read'], [first.id, second.id]);
    const body = { name: 'x', password, permissions: ['site.read' as const], site_ids: [first.id] };
    const { token } = await api.get('createApiToken', { body: { ...body, expires_at: null } });
    await save(owner.api, id, { site_ids: [second.id] });
    const program = makeApiClient(() => world.userUrl, token);
    expect((await program.get('listSites', { query: {} })).list).toEqual([]);
  });

  it('that is limited to sites comes to what is of these alone, and makes nothing', async () => {
    const [mine, other] = [await makeSite(owner.api), await makeSite(owner.api)];
    const { api } = await make([...userPermissions], [mine.id]);
    expect(await api.get('currentAccount', {})).toMatchObject({ limited: true });
    expect((await api.get('listSites', { query: {} })).list.map(({ id }) => id)).toEqual([mine.id]);
    expect(await api.call('getSite', { params: { id: other.id } })).toMatchObject({ status: 404 });
    const domains = [`${unique('new')}.example.com`];
    for (const answer of await Promise.all([
      api.call('createSite', { body: { domains, origin: '127.0.0.1' } }),
      api.call('createSiteBatch', { body: { lines: [`${domains[0]}|127.0.0.1`] } }),
      api.call('removeSites', { body: { sites: { site_ids: [mine.id] } } }),
      api.call('createTag', { body: { name: unique('tag'), color: 'red' } }),
      api.call('listCertificates', { query: {} }),
      api.call('listOrders', { query: {} }),
      api.call('listMembers', { query: {} }),
      api.call('createMember', { body: bodyOf([]) }),
    ]))
      expect(answer).toMatchObject({ status: 403 });
    const told = JSON.stringify(await api.get('getMenu', {}));
    expect(told).toContain('/dashboard/site/list');
    for (const path of ['/dashboard/site/batch', '/dashboard/site/certificate', '/dashboard/client/create'])
      expect(told).not.toContain(path);
    await world.admin.get('removeSiteForced', { params: { id: mine.id } });
    expect((await api.get('listSites', { query: {} })).list).toEqual([]);
  });

  it('has an e-mail that no customer and no other member has, also when two take it at once', async () => {
    const { email } = await make([]);
    const taken = { status: 400, errors: [{ path: 'email', message: 'This email is taken' }] };
    const other = await makeCustomer(world);
    for (const answer of [
      await other.api.call('createMember', { body: bodyOf([], { email }) }),
      await owner.api.call('createMember', { body: bodyOf([], { email: other.email }) }),
      await world.admin.call('createClient', { body: { name: 'x', email, password } }),
      await other.api.call('updateProfile', { body: { name: 'x', email, password, version: 1 } }),
      await world.anonymousUser.call('signUp', { body: { email, password, firstName: 'A', lastName: 'B' } }),
    ])
      expect(answer).toMatchObject(taken);
    const fresh = `${unique('both')}@example.com`;
    const answers = await Promise.all([
      owner.api.call('createMember', { body: bodyOf([], { email: fresh }) }),
      world.admin.call('createClient', { body: { name: 'x', email: fresh, password } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('is slowed down and refused after wrong passwords, by the same count as customers', async () => {
    const { email } = await make([]);
    const enter = (typed: string) =>
      world.anonymousUser.call('signInClient', { body: { email, password: typed } });
    for (let tried = 0; tried < 5; tried++) expect(await enter('wrong')).toMatchObject({ status: 401 });
    expect(await enter(password)).toMatchObject({ status: 429 });
    await world.server.services.db.delete(signInAttempt);
    expect(await enter(password)).toMatchObject({ status: 200 });
  });

  it('stands as who did it in the activity, the operation log and the history', async () => {
    const site = await makeSite(owner.api);
    const { api, id } = await make(['site.read', 'site.write', 'activity.read']);
    const query = { site_id: site.id };
    const { version, value } = await api.get('getSpeedOptimize', { query });
    await api.get('updateSpeedOptimize', {
      query,
      body: { version, value: { ...value, gzip: !value.gzip } },
    });
    const { name } = await owner.api.get('getMember', { params: { id } });
    const about = { subject_kind: 'site' as const, subject_id: String(site.id) };
    for (const reader of [owner.api, api])
      expect((await reader.get('listActivity', { query: about })).list[0]).toMatchObject({
        actor_type: 'member',
        actor_name: name,
      });
    const { list } = await world.admin.get('listOperationLogs', {
      query: { user_type: 'member', user_id: id },
    });
    expect(list[0]).toMatchObject({ user_name: name, path: '/prod-api/site_config/speed_optimize' });
    const params = { id: site.id };
    expect((await owner.api.get('listSiteRevisions', { params, query: {} })).list[0]).toMatchObject({
      author_type: 'member',
    });
  });
});

describe('from the next call on', () => {
  it('a permission is gone that was withdrawn', async () => {
    const { api, id } = await make(['site.read', 'tag.read']);
    await api.get('listTags', { query: {} });
    await save(owner.api, id, { permissions: ['site.read'] });
    expect(await api.call('listTags', { query: {} })).toMatchObject({ status: 403 });
    await api.get('listSites', { query: {} });
  });

  it('a stream ends that is of other sites than its member reaches now', async () => {
    const [first, second] = [await makeSite(owner.api), await makeSite(owner.api)];
    const { api, id } = await make(['statistics.read'], [first.id, second.id]);
    expect(await api.send('GET', '/prod-api/statistics/live')).toMatchObject({
      status: 400,
      errors: [{ path: 'site_id' }],
    });
    const watch = (site_id: number) => api.open('watchLive', { query: { site_id: String(site_id) } });
    const stream = await watch(first.id);
    expect(stream.status).toBe(200);
    await save(owner.api, id, { site_ids: [second.id] });
    await waitFor('the end of the stream', () => stream.ended);
    const kept = await watch(second.id);
    expect(kept.status).toBe(200);
    kept.close();
  });

  it('a member is out who is disabled, deleted, or has a new password', async () => {
    const [disabled, removed, reset] = [await make([]), await make([]), await make([])];
    await save(owner.api, disabled.id, { enabled: false });
    await owner.api.get('removeMember', { params: { id: removed.id } });
    await owner.api.get('changeMemberPassword', {
      params: { id: reset.id },
      body: { password: 'another password' },
    });
    for (const { api } of [disabled, removed, reset])
      expect(await api.call('currentAccount', {})).toMatchObject(revoked);
    const enter = ({ email }: Member, typed: string) =>
      world.anonymousUser.call('signInClient', { body: { email, password: typed } });
    expect(await enter(disabled, password)).toMatchObject({ status: 401 });
    expect(await enter(reset, 'another password')).toMatchObject({ status: 200 });
    // Enabled again, the old session is still no good.
    await save(owner.api, disabled.id, { enabled: true });
    expect(await disabled.api.call('currentAccount', {})).toMatchObject(revoked);
    expect(await enter(disabled, password)).toMatchObject({ status: 200 });
  });

  it('members are out of a customer who is disabled, and gone with one who is deleted', async () => {
    const customer = await makeCustomer(world);
    const { id, api, email } = await makeMember(world, customer.api, ['site.read']);
    const params = { id: customer.id };
    const setStatus = async (status: 'active' | 'disabled') => {
      const { name, email: own, phone, remark, version } = await world.admin.get('getClient', { params });
      const body = { name, email: own, phone, remark, version, status };
      await world.admin.get('updateClient', { params, body });
    };
    await setStatus('disabled');
    expect(await api.call('currentAccount', {})).toMatchObject(revoked);
    const enter = () => world.anonymousUser.call('signInClient', { body: { email, password } });
    expect(await enter()).toMatchObject({ status: 401 });
    await setStatus('active');
    expect(await api.call('currentAccount', {})).toMatchObject(revoked);
    expect(await enter()).toMatchObject({ status: 200 });
    await world.admin.get('removeOrder', { params: { id: customer.orderId } });
    await world.admin.get('removeClient', { params });
    expect(await enter()).toMatchObject({ status: 401 });
    const { db } = world.server.services;
    expect(await db.$count(accountSession, eq(accountSession.memberId, id))).toBe(0);
  });
});

it('a batch of a member’s runs with what they hold as it runs', async () => {
  const site = await makeSite(owner.api);
  const [kept, withdrawn, limited] = [
    await make(['site.read', 'site.write']),
    await make(['site.read', 'site.write']),
    await make(['site.read', 'site.write']),
  ];
  const { db } = world.server.services;
  /** Begun by one of whom `meanwhile` is true before a worker comes to it. */
  const begin = ({ id }: Member, meanwhile: Partial<typeof member.$inferInsert>) =>
    db.transaction(async (tx) => {
      const title = `${unique('batch')}.example.com`;
      const about = { kind: 'site_batch', title, subjectKind: 'site_batch', createdBy: 'member' } as const;
      const made = await createOperation(tx, {
        ...about,
        clientId: owner.id,
        author: { type: 'member', id },
      });
      await tx.insert(siteBatch).values({ operationId: made, kind: 'create', input: { kind: 'create' } });
      await addItems(tx, made, [{ position: 1, title: `${title}|192.0.2.1`, kind: 'site' }]);
      await tx.update(member).set(meanwhile).where(eq(member.id, id));
      return made;
    });
  const finished = (id: number) =>
    waitFor('the batch', async () => {
      const batch = await owner.api.get('getSiteBatch', { params: { id } });
      return batch.status === 'done' ? batch : undefined;
    });
  expect(await finished(await begin(kept, { name: 'Ann' }))).toMatchObject({ done: 1, failed: 0 });
  for (const [author, meanwhile] of [
    [withdrawn, { permissions: ['site.read'] }],
    [limited, { siteIds: [site.id] }],
    [kept, { enabled: false }],
  ] as const)
    expect(await finished(await begin(author, meanwhile as never))).toMatchObject({ done: 0, failed: 1 });
});

it('there are only so many of one customer’s', async () => {
  const customer = await makeCustomer(world);
  const { db } = world.server.services;
  await db.insert(member).values(
    Array.from({ length: membersMax - 1 }, () => ({
      clientId: customer.id,
      name: 'x',
      email: `${unique('many')}@example.com`,
      passwordHash: '',
    })),
  );
  expect(await customer.api.call('createMember', { body: bodyOf([]) })).toMatchObject({ status: 200 });
  expect(await customer.api.call('createMember', { body: bodyOf([]) })).toMatchObject({
    status: 409,
    code: 40_905,
  });
});

it('operators see the members of a customer, change them, and let back in who lost their way', async () => {
  const { id, api } = await make(['site.read']);
  const query = { client_id: owner.id };
  expect((await world.admin.get('listMembers', { query })).list[0]).toMatchObject({ id, two_factor: false });
  const support = await makeAdministrator(world, ['member.read', 'client.read']);
  await support.api.get('listMembers', { query });
  expect(await support.api.call('resetMemberTwoFactor', { params: { id } })).toMatchObject({ status: 403 });
  await world.admin.get('resetMemberTwoFactor', { params: { id } });
  expect(await api.call('currentAccount', {})).toMatchObject(revoked);
  const { db } = world.server.services;
  const told = await db
    .select()
    .from(event)
    .where(and(eq(event.subjectKind, 'member'), eq(event.subjectId, id)));
  expect(told.map(({ kind, clientId }) => [kind, clientId])).toEqual([
    ['created', owner.id],
    ['two_factor_disabled', owner.id],
  ]);
});

it('stored permissions that the catalogue no longer has are passed over', async () => {
  const { id, api } = await make(['site.read']);
  const { db } = world.server.services;
  await db
    .update(member)
    .set({ permissions: ['site.read', 'site.of_old', 'node.write'] })
    .where(eq(member.id, id));
  expect(await owner.api.get('getMember', { params: { id } })).toMatchObject({ permissions: ['site.read'] });
  expect((await api.get('currentAccount', {})).permissions).toEqual(['site.read']);
});
