import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The icons over empty lists, as the screens' sources have them: what is another thing has another picture. */

const source = fileURLToPath(new URL('../', import.meta.url));
const files = globSync('{domain,frame,features}/**/*.tsx', { cwd: source }).toSorted();

/** The elements that stand where there is nothing, each up to the icon it names. */
const element =
  /<(EmptyState|ListTable|AccountList)\b(?:(?!<(?:EmptyState|ListTable|AccountList)\b)[\s\S])*?\bicon="([\w-]+)"/g;
const opened = /<(?:EmptyState|ListTable|AccountList)$|<(?:EmptyState|ListTable|AccountList)\s/gm;

/** Those that hand on the icon of whoever uses them. */
const generic = ['frame/list-table.tsx', 'frame/provider-account/account-list.tsx'];

const found = files
  .filter((file) => !generic.includes(file))
  .map((file) => {
    const text = readFileSync(source + file, 'utf8');
    return {
      file,
      count: text.match(opened)?.length ?? 0,
      icons: [...text.matchAll(element)].map(([, , icon]) => icon!),
    };
  })
  .filter(({ count }) => count > 0);

test('every list has one', () => {
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({ count, icons }) => icons.length !== count)).toEqual([]);
});

/** What is listed in several places, by its icon. Whoever adds one here lists the same thing there. */
const listedTwice: Record<string, string[]> = {
  'address-list': ['address-list/address-list-list', 'node/node-ips'],
  certificate: ['certificate/certificate-list', 'site/sections/https/certificate'],
  'certificate-order': ['certificate-order/certificate-order-list', 'frame/certificate-timeline'],
  // Figures over time.
  chart: ['flood/flood-traffic', 'monitor/access-stats', 'site-violation/site-violation-stats'],
  // What happened.
  clock: ['domain/activity', 'site/sections/guard/state', 'site/sections/origin/health-state'],
  domain: ['dns-account/dns-zones', 'filing/unfiled-domains', 'site/domain/dns', 'site/domain/domains'],
  node: [
    'home/home-lists',
    'line-group/line-group-nodes',
    'monitor/node-resources',
    'node/node-detail',
    'node/node-list',
    'site/sections/origin/health-state',
    'task/sub-tasks',
  ],
  order: ['order/order-list', 'product/product-orders'],
  prefetch: [
    'site-refresh/site-prefetch-detail',
    'site-refresh/site-prefetch-list',
    'site/sections/speed/speed',
  ],
  // Rules that protect, and that they let nobody through.
  privacy: [
    'domain/matcher/rules',
    'site/sections/access/rules',
    'site/sections/guard/rules',
    'site/sections/guard/state',
  ],
  site: ['flood/flood-suspects', 'home/home-lists', 'site/batch/detail', 'site/list/list'],
};

test('those that share one list the same thing', () => {
  const places = new Map<string, Set<string>>();
  for (const { file, icons } of found)
    for (const icon of icons)
      places.set(icon, (places.get(icon) ?? new Set()).add(file.replace(/^features\/|\.tsx$/g, '')));
  const shared = [...places].flatMap(([icon, of]) => (of.size > 1 ? [[icon, [...of].toSorted()]] : []));
  expect(Object.fromEntries(shared)).toEqual(listedTwice);
});
