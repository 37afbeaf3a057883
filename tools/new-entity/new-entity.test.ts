import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepingTypes, typeChecker } from '../check/types.ts';

const cache = 'node_modules/.cache/breakwater';
const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let copy: string;

/** The repository without what is built, its packages linked: ours to the copy, others to those installed. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'breakwater-new-entity-'));
  const wanted = [
    'apps',
    'packages',
    'tools',
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
    'vitest.config.ts',
    '.oxfmtrc.json',
  ];
  const filter = (path: string) => !/\/(node_modules|dist)$/.test(path);
  for (const name of wanted) await cp(join(root, name), join(copy, name), { recursive: true, filter });
  await copyModules();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/**
 * What is installed, as links to the same files where that can be: then the compiler finds what it knows of them. The
 * packages of the repository are links to the copy's by themselves.
 */
async function copyModules(): Promise<void> {
  const from = join(root, 'node_modules');
  await run('cp', ['-al', from, copy]).catch(() => run('cp', ['-a', from, copy]));
  // Caches are written to, so they are no links.
  for (const name of ['.cache', '.vite', '.vitest-cache'])
    await rm(join(copy, 'node_modules', name), { recursive: true, force: true });
  if (existsSync(join(root, cache))) await cp(join(root, cache), join(copy, cache), { recursive: true });
}

const node = (...args: string[]) => run(process.execPath, args, { cwd: copy });
/** What a program has to say against the copy; nothing when it is content. */
const complaints = (...args: string[]) =>
  node(...args).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
const typeErrors = (project: string) =>
  complaints(typeChecker, '-p', project, '--pretty', 'false', ...keepingTypes(project));

test('a new entity compiles, has a migration and passes its own test', { timeout: 600_000 }, async () => {
  await node('tools/new-entity.ts', 'dns-account', 'dns-accounts', 'DNS账号');
  const migrations = await readdir(join(copy, 'apps/server/src/db/migrations'));
  expect(migrations.filter((name) => name.endsWith('_add_dns_account.sql'))).toHaveLength(1);
  expect(await readFile(join(copy, 'packages/contract/openapi.json'), 'utf8')).toContain(
    '/prod-api/dns_account/{id}',
  );
  // Each keeps one core busy for a while.
  const said = await Promise.all([
    typeErrors('.'),
    typeErrors('apps/console'),
    complaints('node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'dns-account'),
  ]);
  expect(said).toEqual(['', '', '']);
});

test('it refuses a name that is taken or is none, and changes nothing', async () => {
  const before = await readFile(join(root, 'packages/contract/src/index.ts'), 'utf8');
  await expect(node('tools/new-entity.ts', 'Area')).rejects.toMatchObject({
    stderr: expect.stringContaining('kebab-case'),
  });
  await expect(node('tools/new-entity.ts', 'area')).rejects.toMatchObject({
    stderr: expect.stringContaining('exists already'),
  });
  expect(await readFile(join(copy, 'packages/contract/src/index.ts'), 'utf8')).toContain(
    before.slice(0, 200),
  );
});
