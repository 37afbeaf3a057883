import { userPermissions, type UserPermission } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { member } from '../../db/schema.ts';

/** Who may give what to members of a customer's account, and change whom. */

let world: World;
let owner: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
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

describe('nobody', () => {
  it('grants what they do not hold: not to another, not to oneself, not through a member who does', async () => {
    const manager = await make(['member.read', 'member.write', 'site.read']);
    const beyond = { status: 400, errors: [{ path: 'permissions' }] };
    expect(await manager.api.call('createMember', { body: bodyOf(['site.write']) })).toMatchObject(beyond);
    expect(await save(manager.api, manager.id, { permissions: [...userPermissions] })).toMatchObject(beyond);
    const { id } = await manager.api.get('createMember', { body: bodyOf(['member.write', 'site.read']) });
    expect(await save(manager.api, id, { permissions: ['site.read', 'tag.read'] })).toMatchObject(beyond);
    expect(await save(manager.api, id, { permissions: ['site.read'] })).toMatchObject({ status: 200 });
    // Not an administrator either.
    const support = await makeAdministrator(world, ['member.read', 'member.write', 'site.read']);
    const body = bodyOf(['site.write'], { client_id: owner.id });
    expect(await support.api.call('createMember', { body })).toMatchObject(beyond);
    // What the platform alone holds is in nobody's list.
    const odd = bodyOf(['node.read' as UserPermission]);
    expect(await owner.api.call('createMember', { body: odd })).toMatchObject({
      status: 400,
      errors: [{ path: 'permissions.0' }],
    });
  });

  it('changes a member who holds more', async () => {
    const more = await make(['site.read', 'site.delete']);
    const manager = await make(['member.read', 'member.write', 'member.password', 'site.read']);
    const params = { id: more.id };
    for (const answer of [
      await save(manager.api, more.id, { name: 'x' }),
      await save(manager.api, more.id, { permissions: [] }),
      await save(manager.api, more.id, { enabled: false }),
      await manager.api.call('changeMemberPassword', { params, body: { password: 'another password' } }),
      await manager.api.call('resetMemberTwoFactor', { params }),
      await manager.api.call('removeMember', { params }),
    ])
      expect(answer).toMatchObject({ status: 403, code: 40_301 });
    await more.api.get('listSites', { query: {} });
  });

  it('reaches the customer’s own account, another customer’s member, or sites of another', async () => {
    const manager = await make(['member.read', 'member.write', 'member.password']);
    for (const path of [`/prod-api/client/${owner.id}`, `/prod-api/client/${owner.id}/password`])
      expect(await manager.api.send('PUT', path, {})).toMatchObject({ status: 404 });
    const other = await makeCustomer(world);
    const theirs = await makeMember(world, other.api, []);
    const params = { id: theirs.id };
    for (const answer of [
      await manager.api.call('getMember', { params }),
      await save(manager.api, theirs.id, { name: 'x' }),
      await manager.api.call('changeMemberPassword', { params, body: { password } }),
      await manager.api.call('resetMemberTwoFactor', { params }),
      await manager.api.call('removeMember', { params }),
    ])
      expect(answer).toMatchObject({ status: 404 });
    const foreign = await makeSite(other.api);
    expect(
      await owner.api.call('createMember', { body: bodyOf([], { site_ids: [foreign.id] }) }),
    ).toMatchObject({ status: 400, errors: [{ path: 'site_ids' }] });
    expect(await owner.api.call('createMember', { body: bodyOf([], { client_id: other.id }) })).toMatchObject(
      { status: 400, errors: [{ path: 'client_id' }] },
    );
  });

  it('changes members without the permission, sets their own password here, or uses a token for it', async () => {
    const reader = await make(['member.read']);
    const params = { id: reader.id };
    expect((await reader.api.get('listMembers', { query: {} })).total).toBeGreaterThan(0);
    expect(await reader.api.call('createMember', { body: bodyOf([]) })).toMatchObject({ status: 403 });
    expect(await reader.api.call('removeMember', { params })).toMatchObject({ status: 403 });
    const manager = await make(['member.read', 'member.write', 'member.password']);
    const own = { id: manager.id };
    for (const answer of [
      await manager.api.call('changeMemberPassword', { params: own, body: { password } }),
      await manager.api.call('resetMemberTwoFactor', { params: own }),
    ])
      expect(answer).toMatchObject({ status: 403, code: 40_302 });
    const body = { name: 'x', expires_at: null, password, permissions: ['member.write' as const] };
    expect(await owner.api.call('createApiToken', { body })).toMatchObject({
      errors: [{ path: 'permissions' }],
    });
  });

  it('keeps what was taken from them while they gave it away', async () => {
    const manager = await make(['member.read', 'member.write', 'tag.read']);
    const { db } = world.server.services;
    const granted = await db.transaction(async (tx) => {
      // Another change of this customer's members is under way, and takes it from the manager.
      await tx.execute(sql`SELECT FROM client WHERE id = ${owner.id} FOR NO KEY UPDATE`);
      await tx
        .update(member)
        .set({ permissions: ['member.read', 'member.write'] })
        .where(eq(member.id, manager.id));
      const answer = manager.api.call('createMember', { body: bodyOf(['tag.read']) });
      await waitFor('the call to wait', async () => {
        const { rows } = await db.execute(
          sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      return { answer };
    });
    expect(await granted.answer).toMatchObject({ status: 400, errors: [{ path: 'permissions' }] });
  });
});
