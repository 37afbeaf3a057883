import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sweepCache } from './cache-sweep.ts';

test('what a killed nginx had not finished is removed, and nothing else', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'cache-'));
  onTestFinished(() => rm(cache, { recursive: true }));
  const folder = join(cache, 'a', 'bc');
  await mkdir(folder, { recursive: true });
  const hash = '0123456789abcdef0123456789abcbca';
  const names = { left: `${hash}.0000000012`, growing: `${hash}.0000000013`, kept: hash };
  const old = new Date(Date.now() - 3 * 3_600_000);
  for (const name of Object.values(names)) {
    await writeFile(join(folder, name), 'content');
    if (name !== names.growing) await utimes(join(folder, name), old, old);
  }
  const { signal } = new AbortController();
  expect(await sweepCache(cache, signal)).toBe(1);
  expect((await readdir(folder)).toSorted()).toEqual([names.kept, names.growing]);
  expect(await sweepCache(join(cache, 'not-there'), signal)).toBe(0);
});
