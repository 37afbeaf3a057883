import { errors, fieldNamesOf, routes, type RouteName } from '@breakwater/contract';
import {
  makeSite,
  saveSetting,
  startWorld,
  unique,
  type Answer,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  addressListEntry,
  certificate,
  operation,
  site,
  siteBatch,
  siteReject,
  siteTag,
} from './db/schema.ts';
import { createOperation } from './jobs/operation.store.ts';

/** Whatever acts on all that a filter finds names how many those were, and does nothing where they are others by now. */

const word = unique('counted');
const filter = { domain_name: word };
let world: World;
let authority: Authority;
let api: ApiClient;
let siteId: number;
let tagId: number;
let listId: number;
let before: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  authority = await Authority.make(word);
  await saveSetting(world, 'SiteSetting', { site_check: false });
  api = world.admin;
  for (const part of ['a', 'b'])
    ({ id: siteId } = await makeSite(api, { domain: `${part}.${word}.example.com` }));
  ({ id: tagId } = await api.get('createTag', { body: { name: word, color: 'red' } }));
  ({ id: listId } = await api.get('createAddressList', { body: { name: word, source: 'rules' } }));
  const expiresAt = new Date(Date.now() + 3_600_000);
  for (const address of ['20.0.0.7', '20.0.0.8']) {
    await api.get('createSiteRejects', {
      body: { scope: 'platform', remote_addrs: [address], seconds: 3600 },
    });
    await db().insert(addressListEntry).values({ listId, address, decision: '1', requestId: '', expiresAt });
    const { certificate: pem, key } = await authority.issue([`${word}.example.com`]);
    await api.get('createCertificate', { body: { name: word, certificate: pem, private_key: key } });
    const id = await createOperation(db(), {
      kind: 'site_sync',
      title: word,
      subjectKind: 'site',
      createdBy: 'test',
    });
    const finishedAt = new Date(Date.now() - 86_400_000);
    await db().update(operation).set({ state: 'done', finishedAt }).where(eq(operation.id, id));
  }
  before = new Date(Date.now() - 3_600_000).toISOString();
});
afterAll(async () => {
  await world?.close();
  await authority?.close();
});

const db = () => world.server.services.db;

/** All that one of these calls could change. */
const everything = async () => ({
  sites: await db().select().from(site).orderBy(site.id),
  batches: await db().$count(siteBatch),
  tags: await db().$count(siteTag),
  tasks: await db().$count(operation),
  certificates: await db().select().from(certificate).orderBy(certificate.id),
  rejects: await db().select().from(siteReject).orderBy(siteReject.id),
  entries: await db().select().from(addressListEntry).orderBy(addressListEntry.address),
});

type Try = (expected_total: number) => Promise<Answer<unknown>>;
const sites = (expected_total: number) => ({ filter, expected_total });
const certificates = (expected_total: number) => ({ filter: { name: word }, expected_total });

const calls: Partial<Record<RouteName, Try>> = {
  changeSitesSection: (total) =>
    api.call('changeSitesSection', {
      body: { sites: sites(total), section: 'origin_server_config', value: { tries: 7 }, fields: ['tries'] },
    }),
  changeSitesProtection: (total) =>
    api.call('changeSitesProtection', {
      body: { sites: sites(total), section: 'cc_guardian_rule', value: {}, fields: ['attack_until'] },
    }),
  copySiteSection: (total) =>
    api.call('copySiteSection', {
      params: { id: siteId },
      body: { sites: sites(total), section: 'cache_rule' },
    }),
  tagSites: (total) => api.call('tagSites', { body: { sites: sites(total), add: [tagId] } }),
  syncSites: (total) => api.call('syncSites', { body: { sites: sites(total) } }),
  changeSitesStatus: (total) =>
    api.call('changeSitesStatus', { body: { sites: sites(total), status: 'offline' } }),
  removeSites: (total) => api.call('removeSites', { body: { sites: sites(total) } }),
  removeSitesForced: (total) => api.call('removeSitesForced', { body: { sites: sites(total) } }),
  groupCertificates: (total) =>
    api.call('groupCertificates', { body: { certificates: certificates(total), group_name: word } }),
  removeCertificates: (total) =>
    api.call('removeCertificates', { body: { certificates: certificates(total) } }),
  releaseAllSiteRejects: (total) => api.call('releaseAllSiteRejects', { body: { expected_total: total } }),
  removeAddressListEntries: (total) =>
    api.call('removeAddressListEntries', { params: { id: listId }, body: { expected_total: total } }),
  removeTasks: (total) => api.call('removeTasks', { query: { before, expected_total: total } }),
};

/** What ends by itself meanwhile: that fewer are left than were counted does no harm. */
const endThemselves = new Set<string>(['releaseAllSiteRejects', 'removeAddressListEntries']);

it('every call that names a count is tried below', () => {
  const counted = Object.entries(routes).filter(([, route]) =>
    fieldNamesOf([route]).known.has('expected_total'),
  );
  expect(Object.keys(calls).toSorted()).toEqual(counted.map(([name]) => name).toSorted());
});

it.each(Object.entries(calls))('%s: two were counted', async (name, call) => {
  const untouched = await everything();
  for (const expected of endThemselves.has(name) ? [1] : [1, 3])
    expect(await call(expected)).toMatchObject({
      status: 409,
      code: errors.selection_changed.code,
      errors: [
        {
          path: expect.stringMatching(/expected_total$/) as string,
          message: `${expected} when selected, 2 now`,
        },
      ],
    });
  expect(await everything()).toEqual(untouched);
  expect(await call(2)).toMatchObject({ status: 200 });
  expect(await everything()).not.toEqual(untouched);
});
