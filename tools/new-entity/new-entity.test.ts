import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forGo, oneChecker, typeChecker } from '../check/types.ts';

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
  await linkModules();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** What is installed, as links: packages of the repository to the copy's, others to where they are. */
async function linkModules(): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  await mkdir(to);
  // Caches are written to, so they are the copy's own.
  const names = (await readdir(from)).filter((name) => !name.startsWith('.') || name === '.bin');
  for (const name of names) {
    if (name === '@breakwater')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else await symlink(join(from, name), join(to, name));
  }
}

const node = (...args: string[]) =>
  run(process.execPath, args, { cwd: copy, env: { ...process.env, ...forGo } });
/** What a program has to say against the copy; nothing when it is content. */
const complaints = (...args: string[]) =>
  node(...args).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
/** What the compiler says of these files and of what they import. */
async function typeErrors(project: string, include: string[]): Promise<string> {
  const file = join(project, 'tsconfig.new-entity.json');
  await writeFile(join(copy, file), JSON.stringify({ extends: './tsconfig.json', include }));
  return complaints(typeChecker, '-p', file, '--noEmit', '--pretty', 'false', ...oneChecker);
}

/** Lines of an entity's files in a folder. */
async function linesOf(folder: string, name: string): Promise<number> {
  const files = (await readdir(join(copy, folder))).filter((file) => file.startsWith(name));
  const texts = await Promise.all(files.map((file) => readFile(join(copy, folder, file), 'utf8')));
  return texts.join('').split('\n').length - 1;
}

test(
  'new entities of both forms compile, have migrations, and pass tests that come by themselves',
  { timeout: 600_000 },
  async () => {
    const everything = ['--owner', 'client', '--secret', '--operation'];
    await node('tools/new-entity.ts', 'mail-account', 'mail-accounts', '邮箱账号', ...everything);
    await node('tools/new-entity.ts', 'mail-zone', 'mail-zones');
    const migrations = await readdir(join(copy, 'apps/server/src/db/migrations'));
    expect(migrations.filter((name) => /_add_mail_(account|zone)\.sql$/.test(name))).toHaveLength(2);
    const description = await readFile(join(copy, 'packages/contract/openapi.json'), 'utf8');
    expect(description).toContain('/prod-api/mail_account/{id}/check');
    expect(description).toContain('/prod-api/mail_zone/{id}');
    // Beside its screen: contract, table, handlers, job and test.
    const lines = await Promise.all([
      linesOf('packages/contract/src', 'mail-account'),
      linesOf('apps/server/src/modules/mail-account', 'mail-account'),
    ]);
    expect(lines[0]! + lines[1]!).toBeLessThan(120);
    expect(await linesOf('apps/console/src/features/mail-account', 'mail-account')).toBeLessThan(130);

    // What was added to lists of all entities is there when the tests run. Each keeps one core busy for a while.
    const modules = 'apps/server/src/modules/mail-*';
    const declarations = ['mount', 'operation-log'].map((name) => `apps/server/src/plugins/${name}.ts`);
    const ownTests = [
      'run',
      '--project',
      'server',
      '--project',
      'fuzz',
      '-t',
      'mail_|Mail(Account|Zone)|a check is a task',
    ];
    const files = ['mail-account.test', 'src/crud.test', 'src/access.test', 'test-fuzz/foreign.test'];
    const said = await Promise.all([
      typeErrors('.', [`${modules}/*.routes.ts`, ...declarations]),
      typeErrors('apps/console', ['src/features/mail-*/*', 'src/*.d.ts']),
      complaints('node_modules/vitest/vitest.mjs', ...ownTests, ...files),
    ]);
    expect(said).toEqual(['', '', '']);
  },
);

test('it refuses a name that is taken or is none, and changes nothing', async () => {
  const before = await readFile(join(root, 'packages/contract/src/index.ts'), 'utf8');
  await expect(node('tools/new-entity.ts', 'Area')).rejects.toMatchObject({
    stderr: expect.stringContaining('kebab-case'),
  });
  await expect(node('tools/new-entity.ts', 'area')).rejects.toMatchObject({
    stderr: expect.stringContaining('exists already'),
  });
  await expect(node('tools/new-entity.ts', 'mail-key', '--owner', 'nobody')).rejects.toMatchObject({
    stderr: expect.stringContaining('Usage'),
  });
  expect(await readFile(join(copy, 'packages/contract/src/index.ts'), 'utf8')).toContain(
    before.slice(0, 200),
  );
});
