import { makeAdministrator, makeCustomer, makeMember, startWorld, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operation } from '../../db/schema.ts';
import { createOperation } from '../../jobs/operation.store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const db = () => world.server.services.db;
async function makeOperation(
  state: 'pending' | 'running' | 'done' | 'failed',
  minutes = 0,
  about: { clientId?: number; subjectKind?: string; title?: string } = {},
) {
  const { clientId, subjectKind = 'site', title = 'some work' } = about;
  const id = await createOperation(db(), {
    kind: 'site_update',
    title,
    subjectKind,
    clientId,
    createdBy: 'somebody of the platform',
  });
  const finishedAt =
    state === 'pending' || state === 'running' ? null : new Date(Date.now() - minutes * 60_000);
  await db().update(operation).set({ state, finishedAt }).where(eq(operation.id, id));
  return id;
}
const idsOf = async (api: World['admin']) => (await api.get('getWork', {})).list.map(({ id }) => id);

describe('work that is shown', () => {
  it('is what is under way first, then what ended lately; what failed stays for a day', async () => {
    const failed = await makeOperation('failed', 60);
    const forgotten = await makeOperation('failed', 25 * 60);
    const ended = await makeOperation('done', 1);
    const old = await makeOperation('done', 60);
    const open = await makeOperation('running');
    const ids = await idsOf(world.admin);
    expect(ids.filter((id) => [failed, ended, open].includes(id))).toEqual([open, ended, failed]);
    expect(ids).not.toContain(forgotten);
    expect(ids).not.toContain(old);
  });

  it('is, to a customer, of what is theirs, without who of the platform began it', async () => {
    const [customer, other] = [await makeCustomer(world), await makeCustomer(world)];
    const mine = await makeOperation('running', 0, { clientId: customer.id });
    const theirs = await makeOperation('running', 0, { clientId: other.id });
    const platform = await makeOperation('running');
    const { open, list } = await customer.api.get('getWork', {});
    expect(list.map(({ id }) => id)).toEqual([mine]);
    expect(open).toBe(1);
    expect(JSON.stringify(list)).not.toContain('somebody of the platform');
    expect(await idsOf(other.api)).toEqual([theirs]);
    expect(await idsOf(world.admin)).toEqual(expect.arrayContaining([mine, theirs, platform]));
  });

  it('is of what one may see: by the permission of what it is about', async () => {
    const site = await makeOperation('running');
    const certificate = await makeOperation('running', 0, { subjectKind: 'certificate' });
    const seenWith = async (permissions: Parameters<typeof makeAdministrator>[1]) =>
      (await idsOf((await makeAdministrator(world, permissions)).api)).filter((id) =>
        [site, certificate].includes(id),
      );
    expect(await seenWith(['site.read'])).toEqual([site]);
    expect(await seenWith(['certificate.read'])).toEqual([certificate]);
    expect(await seenWith(['task.read'])).toEqual([certificate, site]);
    expect(await seenWith(['area.read'])).toEqual([]);
    const customer = await makeCustomer(world);
    const mine = await makeOperation('running', 0, { clientId: customer.id });
    expect(await idsOf(customer.api)).toEqual([mine]);
    const member = await makeMember(world, customer.api, ['certificate.read']);
    expect(await idsOf(member.api)).toEqual([]);
  });

  it('is of nobody without a session', async () => {
    expect((await world.anonymous.call('getWork', {})).status).toBe(401);
  });
});
