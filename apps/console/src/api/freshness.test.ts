import { permissions, routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { subjectsOf, touchedBy, type Subject } from './freshness.ts';

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

/** Where a word is not of what it is called: `order` beside certificates is one at an authority. */
const meant: Partial<Record<string, Subject>> = {
  'acme_account order': 'certificate',
  'dns_account order': 'certificate',
  'certificate order': 'certificate',
};
/** What only sounds like something: limits of a product, fields of a rule, a vendor's product, nodes of the log store. */
const elsewhere =
  /\.limits\.|\.rules?\.(nodes|tag|product)$|NodeWafMatchers?(\.list)?\.nodes$|^getLogStoreInfo\./;

/** The paths below a response, each with what stands there. */
function pathsOf(schema: z.core.$ZodType, path = '', above: readonly unknown[] = []): [string, string][] {
  if (above.includes(schema)) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const below = (part: z.core.$ZodType, at = path) => pathsOf(part, at, [...above, schema]);
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) => below(part, `${path}.${key}`));
    case 'array':
      return [[path, 'list'], ...below(def.element)];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return below(def.innerType);
    case 'record':
      return below(def.valueType);
    case 'union':
      return def.options.flatMap((part) => below(part));
    case 'pipe':
      return below(def.out);
    default:
      return [[path, def.type]];
  }
}

test('whatever an answer tells of another entity, a name, a number or its parts, is read again after a change of that', () => {
  const told = new RegExp(`^(${[...subjects].join('|')})(?:_(name|no|count)|s)$`);
  let seen = 0;
  const missing = new Set<string>();
  for (const [read, { access, method, response, transport }] of ofPeople) {
    if (method !== 'GET' || transport === 'stream') continue;
    const own = subjectsOf(read, access);
    for (const [path] of pathsOf(response)) {
      const parts = path.split('.').flatMap((part) => told.exec(part)?.[1] ?? []);
      if (elsewhere.test(`${read}${path}`)) continue;
      for (const part of parts) {
        const of = meant[`${own[0]} ${part}`] ?? part;
        if (own.includes(of as Subject)) continue;
        seen++;
        const changes = ofPeople.filter(
          ([name, { access: by, method: how, unlogged }]) =>
            how !== 'GET' && unlogged !== true && subjectsOf(name, by).includes(of as Subject),
        );
        if (stale([read], changes[0]![0]).length > 0)
          missing.add(`${of} is shown in ${own.join()}: ${read}${path}`);
      }
    }
  }
  expect(seen).toBeGreaterThan(100);
  expect([...missing]).toEqual([]);
});
