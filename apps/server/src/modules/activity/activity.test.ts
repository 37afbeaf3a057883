import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { EventSubject } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { recordEvents } from '../../events/record-event.ts';

let world: World;
let customer: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
});
afterAll(() => world.close());

const of = (subject_kind: EventSubject, subject_id: number) => ({ query: { subject_kind, subject_id } });
const kindsOf = async (subject: EventSubject, id: number, api = world.admin) =>
  (await api.get('listActivity', of(subject, id))).list.map(({ kind }) => kind);

describe('the activity of a site', () => {
  it('says what happened, who did it, what was there before and after, newest first', async () => {
    const site = await makeSite(customer.api);
    const params = { id: site.id };
    const domain = `${unique('www')}.example.com`;
    await customer.api.get('updateSiteDomains', {
      params,
      body: { version: 1, domains: [site.domain, domain] },
    });
    await world.admin.get('updateSiteStatus', {
      params,
      body: { version: 2, status: 'suspended', note: 'told' },
    });
    const { list, next } = await world.admin.get('listActivity', of('site', site.id));
    expect(next).toBeNull();
    expect(list).toMatchObject([
      {
        kind: 'status_changed',
        actor_type: 'admin',
        actor_name: 'admin',
        section: 'status',
        about: [{ name: 'version', value: '3' }],
        changes: expect.arrayContaining([{ path: 'status', before: 'checking', after: 'suspended' }]),
      },
      {
        kind: 'domains_changed',
        actor_type: 'client',
        changes: [{ path: 'domains.1', after: domain }],
        subject_name: site.domain,
      },
      { kind: 'created', actor_type: 'client', subject_id: site.id },
    ]);
  });

  it('tells its customer that it was the platform, and not who', async () => {
    const site = await makeSite(customer.api);
    await world.admin.get('updateSiteStatus', {
      params: { id: site.id },
      body: { version: 1, status: 'suspended', note: '' },
    });
    const { list } = await customer.api.get('listActivity', of('site', site.id));
    expect(list[0]).toMatchObject({ actor_type: 'admin', actor_name: '', program: '' });
    expect(list[1]).toMatchObject({ actor_type: 'client', actor_name: expect.stringMatching(/^Customer/) });
    expect(JSON.stringify(list)).not.toContain('"admin"]');
    expect(list.map(({ actor_name }) => actor_name)).not.toContain('admin');
  });

  it('is there for its customer after it is gone, and for nobody else', async () => {
    const site = await makeSite(customer.api);
    await world.admin.get('removeSiteForced', { params: { id: site.id } });
    expect(await kindsOf('site', site.id, customer.api)).toEqual(['removed', 'created']);
    expect(await other.api.call('listActivity', of('site', site.id))).toMatchObject({ status: 404 });
  });

  it('is empty, not absent, once its events are gone', async () => {
    const site = await makeSite(customer.api);
    await world.server.services.db.execute(sql`DELETE FROM event WHERE site_id = ${site.id}`);
    expect(await customer.api.get('listActivity', of('site', site.id))).toEqual({ list: [], next: null });
    expect(await other.api.call('listActivity', of('site', site.id))).toMatchObject({ status: 404 });
  });

  it('hides secrets', async () => {
    const { id } = await makeSite(customer.api);
    const query = { site_id: id };
    const { value, version } = await customer.api.get('getOriginServerConfig', { query });
    const secret = 'kept-from-readers';
    const object_storage = {
      region: 'eu-1',
      path_style: false,
      bucket: 'pictures',
      access_key_id: 'AKID',
      secret_access_key: secret,
    };
    const answer = await customer.api.call('updateOriginServerConfig', {
      query,
      body: { version, value: { ...value, object_storage } as typeof value },
    });
    expect(answer.status, JSON.stringify(answer)).toBe(200);
    const { rows } = await world.server.services.db.execute<{ row: string }>(
      sql`SELECT row_to_json(event)::text AS row FROM event WHERE site_id = ${id}`,
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain('AKID');
    expect(text).toContain('••••••');
    expect(text).not.toMatch(/kept-from|v[12]\.[\w.-]{30}/);
  });
});

describe('activity', () => {
  it('comes in pages that do not move while things happen', async () => {
    const { id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
    const { db } = world.server.services;
    const actor = { kind: 'system', id: null, name: 'system' } as const;
    const tell = (count: number) =>
      recordEvents(
        db,
        Array.from({ length: count }, () => ({
          kind: 'updated' as const,
          subject: { kind: 'tag' as const, id },
          actor,
        })),
      );
    await tell(25);
    const read = (before?: number) =>
      world.admin.get('listActivity', {
        query: { subject_kind: 'tag', subject_id: id, page_size: 10, ...(before ? { before } : {}) },
      });
    const seen: number[] = [];
    let before: number | undefined;
    for (;;) {
      const { list, next } = await read(before);
      seen.push(...list.map((event) => event.id));
      await tell(3);
      if (next === null) break;
      before = next;
    }
    expect(seen).toHaveLength(25);
    expect(seen).toEqual(seen.toSorted((one, two) => two - one));
    expect(new Set(seen).size).toBe(25);
  });

  it('needs a session, the permission, and that of what it is about', async () => {
    const site = await makeSite(customer.api);
    const asked = of('site', site.id);
    expect(await world.anonymous.call('listActivity', asked)).toMatchObject({ status: 401 });
    expect(await world.anonymousUser.call('listActivity', asked)).toMatchObject({ status: 401 });
    const without = await makeAdministrator(world, ['site.read']);
    expect(await without.api.call('listActivity', asked)).toMatchObject({ status: 403 });
    const half = await makeAdministrator(world, ['activity.read', 'node.read']);
    expect(await half.api.call('listActivity', asked)).toMatchObject({ status: 403 });
    expect(await half.api.call('listActivity', of('node', 1))).toMatchObject({ status: 200 });
    for (const subject of ['node', 'client', 'line_group', 'admin_user', 'setting'] as const)
      expect(await customer.api.call('listActivity', of(subject, 1))).toMatchObject({ status: 403 });
  });

  it('of everything is of what one may read, and of one’s own', async () => {
    const site = await makeSite(customer.api);
    const foreign = await makeSite(other.api);
    const { id: area } = await world.admin.get('createArea', { body: { name: unique('Area') } });
    const seenBy = async (api: typeof customer.api) =>
      (await api.get('listActivity', { query: { page_size: 100 } })).list.map(
        ({ subject_kind, subject_id }) => `${subject_kind} ${subject_id}`,
      );
    const ofAdmin = await seenBy(world.admin);
    expect(ofAdmin.slice(0, 3)).toEqual([`area ${area}`, `site ${foreign.id}`, `site ${site.id}`]);
    const own = await seenBy(customer.api);
    expect(own).toContain(`site ${site.id}`);
    expect(own).not.toContain(`site ${foreign.id}`);
    expect(own).not.toContain(`area ${area}`);
    const half = await makeAdministrator(world, ['activity.read', 'area.read']);
    expect(new Set((await seenBy(half.api)).map((each) => each.split(' ')[0]))).toEqual(new Set(['area']));
  });

  it('of another’s is not there', async () => {
    const site = await makeSite(customer.api);
    const { id: list } = await customer.api.get('createAddressList', {
      body: { name: unique('list'), content: '192.0.2.1' },
    });
    for (const [subject, id] of [
      ['site', site.id],
      ['order', customer.orderId],
      ['address_list', list],
    ] as const) {
      expect((await kindsOf(subject, id, customer.api)).length, subject).toBeGreaterThan(0);
      const refused = await other.api.call('listActivity', of(subject, id));
      expect(refused).toMatchObject({ status: 404 });
    }
  });
});
