import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issues } from './issues.text.ts';

const files = globSync('**/*.text.ts', { cwd: import.meta.dirname }).filter(
  (path) => path !== 'issues.text.ts',
);

/** The texts of each file that has any for fields. */
const parts = (
  await Promise.all(
    files.map(async (path) => Object.entries((await import(join(import.meta.dirname, path))) as object)),
  )
)
  .flat()
  .flatMap(([name, texts]) => (name.endsWith('Issues') ? [texts as Partial<typeof issues>] : []));

test('every text for a field that stands beside an entity is among all of them', () => {
  expect(parts.length).toBeGreaterThan(20);
  expect(Object.assign({}, ...parts)).toEqual(issues);
});

test('no two files have texts under one key', () => {
  const keys = parts.flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
