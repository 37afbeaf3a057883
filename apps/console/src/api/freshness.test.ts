import { permissions, routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { subjectsOf, touchedBy } from './freshness.ts';

const specs = Object.entries(routes) as [RouteName, RouteSpec][];
const ofPeople = specs.filter(([, { access, method }]) =>
  access.kind === 'public' ? method === 'GET' : access.kind !== 'node',
);
const names = (list: typeof specs) => list.map(([name]) => name);
const subjects = new Set(['account', ...Object.keys(permissions).map((name) => name.split('.')[0])]);

/** Whether what a read shows is read again after a change. */
const isRefreshed = (read: RouteName, changed: RouteName): boolean => {
  const touched = touchedBy(changed, routes[changed].access);
  return subjectsOf(read, routes[read].access).some((of) => touched.has(of));
};
const stale = (reads: readonly RouteName[], changed: RouteName) =>
  reads.filter((read) => !isRefreshed(read, changed));

test('every read says what it is of', () => {
  const reads = ofPeople.filter(([, { method }]) => method === 'GET');
  expect(reads.length).toBeGreaterThan(100);
  expect(names(reads.filter(([name, { access }]) => subjectsOf(name, access).length === 0))).toEqual([]);
  const all = ofPeople.flatMap(([name, { access }]) => [...touchedBy(name, access)]);
  expect(new Set(all).difference(subjects)).toEqual(new Set());
});

test('every change says what it touches, and what only asks touches nothing', () => {
  const changes = ofPeople.filter(([, { method }]) => method !== 'GET');
  expect(changes.length).toBeGreaterThan(100);
  const touchesNothing = changes.filter(([name, { access }]) => touchedBy(name, access).size === 0);
  // A test of an account at a provider is no change of it, and yet remembered; the trace of a line of the log is a read.
  const remembered: RouteName[] = ['testDnsAccount', 'testCaptchaAccount', 'explainLoggedRequest'];
  const asking = names(changes.filter(([, { unlogged }]) => unlogged)).filter(
    (name) => !remembered.includes(name),
  );
  expect(names(touchesNothing)).toEqual(asking);
});

test('a change refreshes what it changed and what shows something of it', () => {
  expect(stale(['listAreas', 'getArea', 'listNodes', 'listActivity'], 'updateArea')).toEqual([]);
  expect(stale(['listAreas', 'listLineGroups', 'getDashboardState'], 'removeNode')).toEqual([]);
  expect(stale(['listLineGroups', 'listProducts'], 'updateArea')).toEqual(['listLineGroups', 'listProducts']);
  expect(stale(['currentAccount', 'getMenu', 'listAdminUsers'], 'updateAdminGroup')).toEqual([]);
});

test('every section of a site is read again after the site changed, and after a level changed that it inherits from', () => {
  const ofSite = names(
    specs.filter(([, { path, method }]) => path.includes('/site_config/') && method === 'GET'),
  );
  expect(ofSite).toEqual(
    expect.arrayContaining(['getCacheRule', 'getBlockReferer', 'getContentRewrite', 'getAccessAbove']),
  );
  const reads: RouteName[] = [
    ...ofSite,
    'getSite',
    'listSites',
    'listOriginHealth',
    'listSiteRevisions',
    'listTasks',
  ];
  for (const change of [
    'updateCacheRule',
    'rollbackSite',
    'updateSiteLevelSection',
    'rollbackSiteLevel',
  ] as const)
    expect(stale(reads, change)).toEqual([]);
});
