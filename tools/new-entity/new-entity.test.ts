import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

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
  const modules = join(copy, 'node_modules');
  await mkdir(join(modules, '@breakwater'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@breakwater') await symlink(join(root, 'node_modules', name), join(modules, name));
  for (const folder of ['apps', 'packages'])
    for (const name of await readdir(join(root, folder)))
      await symlink(join(copy, folder, name), join(modules, '@breakwater', name));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, args, { cwd: copy });
/** What a program has to say against the copy; nothing when it is content. */
const complaints = (...args: string[]) =>
  node(...args).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
const typeErrors = (project: string) =>
  complaints('node_modules/typescript/bin/tsc', '-p', project, '--pretty', 'false');

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
