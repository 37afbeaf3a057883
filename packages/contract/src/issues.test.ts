import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issues, issueText } from './issues.text.ts';

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

test('a count chooses between one and many', () => {
  expect(issueText('range_too_long:1', 'en')).toBe('The range can cover up to 1 day');
  expect(issueText('range_too_long:31', 'en')).toBe('The range can cover up to 31 days');
  expect(issueText('range_too_long:1', 'zh')).toBe('时间范围最长 1 天');
});
