import { routes, type RouteSpec } from '@breakwater/contract';
import { diffJson, type DiffEntry } from '@breakwater/contract/json-diff';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { fieldText } from './field.text.ts';
import { labelOf, sayFieldChange } from './say-field.ts';

const nameOf = (of: string, id: number) => `${of} ${id}`;
const said = (before: object, after: object) =>
  diffJson(before, after).map((entry) => sayFieldChange(entry, 'en', nameOf));

test('what changed is said by the names of its fields, with values in words', () => {
  expect(said({ name: 'a', enabled: true }, { name: 'b', enabled: false })).toEqual([
    'Name: a → b',
    'Enabled: Yes → No',
  ]);
  expect(said({}, { remark: '', cycle: 'half_year', price: 1250, area_id: 3 })).toEqual([
    'Notes: (empty)',
    'Billing cycle: Every 6 months',
    'Price: ¥12.50',
    'Area: area 3',
  ]);
  expect(said({ prices: { month: null } }, { prices: { month: 990 } })).toEqual([
    'Prices · Monthly: (empty) → ¥9.90',
  ]);
  expect(said({ line_group_ids: '1' }, { line_group_ids: '1, 2' })).toEqual([
    'Line groups: line_group 1 → line_group 1, line_group 2',
  ]);
  expect(said({ welcome_tip: { zh: '', en: 'Hi' } }, { welcome_tip: { zh: 'Hi', en: 'Hi' } })).toEqual([
    'Welcome message · Chinese: (empty) → Hi',
  ]);
});

test('items of lists are added, removed and moved', () => {
  expect(said({ mask_arguments: ['a', 'b'] }, { mask_arguments: ['b', 'c'] })).toEqual([
    'Masked parameters: removed a',
    'Masked parameters: added c',
  ]);
  expect(said({ permissions: [] }, { permissions: ['site.read'] })).toEqual([
    'Permissions: added Sites · View',
  ]);
  const moved: DiffEntry = { path: 'dns_servers.1', after: '192.0.2.1', from: 0 };
  expect(sayFieldChange(moved, 'en', nameOf)).toBe('DNS servers: 192.0.2.1 moved from position 1 to 2');
});

test('documents that a node refuses are called by what they are of', () => {
  const refused = (path: string) => sayFieldChange({ path, after: 'no room' }, 'en', nameOf);
  expect(refused('site/12')).toBe('Site site 12: no room');
  expect(refused('acme_challenge/3')).toBe('Challenge response certificate_order 3: no room');
  expect(refused('level/client-4')).toBe('Site defaults client 4: no room');
  expect(refused('level/global')).toBe('Site defaults: no room');
  expect(refused('ip_data/ip')).toBe('IP data: no room');
  // The name of a node, in the activity of a site.
  expect(refused('edge-1.example.net')).toBe('edge-1.example.net: no room');
});

test('what a provider asks for is called as in its form, and is no id of ours', () => {
  expect(said({ params: { site_key: 'a' } }, { params: { site_key: 'b' } })).toEqual(['Site key: a → b']);
  expect(said({ params: { server_id: 'a' } }, { params: { server_id: '12' } })).toEqual([
    'Server ID: a → 12',
  ]);
  // One that no provider has any more.
  expect(said({ params: { gone: 'a' } }, { params: { gone: 'b' } })).toEqual(['Parameters · gone: a → b']);
});

test('what an authority calls an id is shown as it is', () => {
  expect(said({ eab_key_id: '' }, { eab_key_id: '12' })).toEqual(['EAB key ID: (empty) → 12']);
});

/** The dotted names of what can be changed in one of these. */
function fieldsOf(schema: z.core.$ZodType, path = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return fieldsOf(def.innerType, path);
  if (def.type === 'pipe') return fieldsOf(def.in, path);
  if (def.type !== 'object') return [path];
  return Object.entries(def.shape).flatMap(([name, field]) =>
    name === 'version' || name.endsWith('_set')
      ? []
      : fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
}

/** Sections of sites have words of their own; global rules are one of a level. */
const isPlain = ({ path }: RouteSpec) => !/\/(?:site(?:_config|_level)?|node_waf_matcher)\//.test(path);

test('every field that a change of a thing or a setting can have is called something', () => {
  const changing = Object.entries(routes as Record<string, RouteSpec>).filter(
    ([name, route]) => name.startsWith('update') && route.body && isPlain(route),
  );
  expect(changing.length).toBeGreaterThan(15);
  const unnamed = changing.flatMap(([name, { body }]) =>
    fieldsOf(body!)
      .map((path) => path.replace(/^value\./, ''))
      .filter((path) => path.split('.').some((part) => !Object.hasOwn(fieldText.en.names, part)))
      .map((path) => `${name}: ${path}`),
  );
  expect(unnamed).toEqual([]);
  expect(labelOf('limits.sites', 'en')).toBe('Limits · Sites');
});
