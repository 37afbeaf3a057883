import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from './sources.ts';

/** Rules that find nothing prove nothing: here they are shown a tree that breaks each of them. */

const broken: Record<string, string> = {
  'packages/policy/src/impure.ts': `import * as z from 'zod';\nexport const a = z.string();\n`,
  'packages/contract/src/upwards.ts': [
    `import { x } from '@breakwater/server/config';`,
    `export const text = '中文';`,
    `export const both = { zh: '中文' };`,
    `// @ts-ignore`,
    `export const y: any = x;`,
  ].join('\n'),
  'apps/server/src/modules/site/site.store.ts': `// TODO\nexport * from '../area/area.routes.ts';\n`,
  'apps/server/src/modules/area/area.store.ts': `import type { Tag } from '../tag/tag.store.ts';\nexport type { Tag };\n`,
  'apps/server/src/modules/tag/tag.store.ts': `export { place } from '../site/site.store.ts';\n`,
  'apps/server/src/modules/tag/tag.table.ts': `import { place } from './tag.store.ts';\nexport const tag = place;\n`,
  'apps/server/src/modules/tag/tag.routes.ts': `export { tag } from './tag.table.ts';\n`,
  'apps/server/src/modules/order/order.routes.ts': [
    `export const handlers = {`,
    `  listTags: ({ services, query }) => services.list(query),`,
    `  getSite: ({ services, scope }) => services.get(scope.clients),`,
    `};`,
  ].join('\n'),
  'apps/server/src/modules/long.ts': '\n'.repeat(401),
  'apps/console/src/features/site/site-list.tsx': [
    `import { AreaList } from '../area/area-list.tsx';`,
    `import type { AreaRow } from '../area/area-list.tsx';`,
    `import { useApi } from '../../api/query.ts';`,
    `export { AreaList, useApi };`,
    `export type { AreaRow };`,
  ].join('\n'),
  'apps/console/src/features/area/area.text.ts': `export const zh = '已保存，正在下发到节点';\n`,
  'apps/console/src/kit/fetching.ts': `export { useApi } from '../api/query.ts';\n`,
  'apps/console/src/domain/fetching.ts': `export { useChange } from '../api/change.ts';\n`,
  'apps/console/src/kit/upwards.ts': `export { SiteList } from '../features/site/site-list.tsx';\n`,
  'docs/architecture.md':
    '| a task | `apps/server/src/modules/site/site.store.ts`, `gone.ts`, `packages/` |\n',
  'docs/caching.md': [
    'Tests: **S** `storage.json` and `gone.json`, **C** `packages/edge/test/caching.test.ts`.',
    'C "is kept", "is lost" and S "no-store", `caching.test.ts` "asks … for it", X "x"',
    '## Every MUST',
    '| section | MUST | test |',
    '|---|---|---|',
    '| §1 | a | C "is kept" |',
    '| §2 | b | C |',
    '| §3 | c | not followed |',
  ].join('\n'),
  'packages/policy/vectors/storage.json': '[{ "about": "no-store" }]',
  'packages/edge/test/caching.test.ts': "it('is kept', () => {});\nit(`asks ${n} for it`, () => {});\n",
  'docs/menus.md':
    'System → Maintenance →\nSettings → Sites and domains, *System → Settings*, Sites → DNS accounts\n',
  'e2e/only.test.ts': `test.only('one', () => {});\n`,
};

const folder = mkdtempSync(join(tmpdir(), 'breakwater-rules-'));
let rules: Rule[];
beforeAll(async () => {
  for (const [path, text] of Object.entries(broken)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  process.env.CHECK_ROOT = folder;
  const [imports, sources, scopes, documents] = await Promise.all([
    import('./import-rules.ts'),
    import('./source-rules.ts'),
    import('./scope-rules.ts'),
    import('./document-rules.ts'),
  ]);
  rules = [...imports.importRules, ...sources.sourceRules, ...scopes.scopeRules, ...documents.documentRules];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['no module looks inside a scope', ['modules/order/order.routes.ts:3']],
  ['hands on their scope', ['modules/order/order.routes.ts:2']],
  ['packages import one way', ['packages/contract/src/upwards.ts:1']],
  ['the contract imports zod', ['packages/contract/src/upwards.ts:1']],
  ['policy imports nothing', ['packages/policy/src/impure.ts:1']],
  ['the console imports one way', ['features/site/site-list.tsx:1', 'kit/upwards.ts:1']],
  ['kit and domain never fetch', ['kit/fetching.ts:1', 'domain/fetching.ts:1']],
  ['a server module reaches another', ['modules/site/site.store.ts:2']],
  ['server modules import one way', ['area → tag → site → area']],
  ['tables import tables', ['tag/tag.routes.ts:1', 'tag/tag.table.ts:1']],
  ['no source file is longer', ['modules/long.ts has 401 lines']],
  ['Chinese stands only', ['packages/contract/src/upwards.ts:2']],
  ['what is live on nodes', ['features/area/area.text.ts:1']],
  ['silences the compiler', ['packages/contract/src/upwards.ts:4']],
  ['of type any', ['packages/contract/src/upwards.ts:5']],
  ['no TODO', ['modules/site/site.store.ts:1', 'e2e/only.test.ts:1']],
  ['row of docs/architecture.md names', ['docs/architecture.md:1: apps/server/src/modules/site/gone.ts']],
  ['menu path that a document names', ['System → Settings', 'Sites → DNS accounts']],
  ['test that docs/caching.md names', ['C "is lost"', 'X "x"', 'no test by its title: | §2 | b | C |']],
  ['feature folder has its text file', ['features/site/site.text.ts is missing']],
])('“%s…” finds what breaks it, and nothing else', async (name, expected) => {
  const rule = rules.find((each) => each.name.includes(name));
  const found = (await rule?.find()) ?? [];
  expect(found).toEqual(expected.map((part) => expect.stringContaining(part)));
});
