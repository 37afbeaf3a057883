import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { SetupError, findProgram, mustRun, run, say } from './run.mjs';

const policyFile = '/usr/sbin/policy-rc.d';
const moduleFolders = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules'];
const modulesHave = (name) => moduleFolders.some((folder) => existsSync(`${folder}/${name}`));

/** Debian packages, with how to tell that their content is there, wherever it came from. */
export const edgePackages = {
  nginx: () => findProgram('nginx') !== undefined,
  'libnginx-mod-http-lua': () => modulesHave('ngx_http_lua_module.so'),
};
export const testPackages = {
  ...edgePackages,
  'libnginx-mod-http-brotli-filter': () => modulesHave('ngx_http_brotli_filter_module.so'),
  'chromium-headless-shell': () => findProgram('chromium-headless-shell') !== undefined,
  'nginx-doc': () => existsSync('/usr/share/doc/nginx/README'),
  'gunicorn-examples': () => existsSync('/usr/share/doc/gunicorn-examples/examples/nginx.conf'),
  openssl: () => findProgram('openssl') !== undefined,
  'php-cli': () => findProgram('php') !== undefined,
  python3: () => findProgram('python3') !== undefined,
  libfaketime: () => existsSync('/usr/share/doc/libfaketime'),
  iproute2: () => findProgram('ip') !== undefined || existsSync('/usr/sbin/ip'),
  nftables: () => existsSync('/usr/sbin/nft'),
  pebble: () => findProgram('pebble') !== undefined,
  curl: () => findProgram('curl') !== undefined,
  knot: () => existsSync('/usr/sbin/knotd'),
  'pdns-server': () => existsSync('/usr/sbin/pdns_server'),
  'pdns-backend-bind': () => existsSync('/usr/share/doc/pdns-backend-bind'),
  'pdns-backend-sqlite3': () => existsSync('/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'),
};

export const benchPackages = {
  ...testPackages,
  wrk: () => findProgram('wrk') !== undefined,
  sqlmap: () => findProgram('sqlmap') !== undefined,
  wapiti: () => findProgram('wapiti') !== undefined,
};

export function missingPackages(packages) {
  return Object.keys(packages).filter((name) => !packages[name]());
}

/** Whether this process may install Debian packages. */
export function mayInstall() {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

/** The command with which a person installs the packages. */
export function installCommand(names) {
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`;
}

/** Installs packages, and keeps Debian's own services from taking ports 80 and 53, now and at the next boot. */
export async function installPackages(names) {
  say(`Installing Debian packages: ${names.join(', ')}`);
  const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
  if ((await run('apt-get', ['update', '-q'], quiet)) !== 0)
    say('The package lists could not be renewed; trying with those that are there.');
  const ourPolicy = !existsSync(policyFile);
  // Exit code 101 of this script tells a package's install script that services are not to be started.
  if (ourPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    // A slim image tells dpkg to leave documentation out, which is the very content of some of these.
    const withDocuments = ['nginx', 'gunicorn-examples'].flatMap((name) => [
      '-o',
      `Dpkg::Options::=--path-include=/usr/share/doc/${name}/*`,
    ]);
    const options = ['-y', '-q', '--no-install-recommends', '--reinstall', ...withDocuments];
    await mustRun('apt-get', ['install', ...options, ...names], quiet);
  } finally {
    if (ourPolicy) rmSync(policyFile, { force: true });
  }
  if (findProgram('systemctl'))
    for (const [name, service] of [
      ['knot', 'knot'],
      ['nginx', 'nginx'],
      ['pdns-server', 'pdns'],
    ])
      if (names.includes(name)) await run('systemctl', ['disable', '--quiet', service]);
  const still = names.filter((name) => !benchPackages[name]());
  if (still.length > 0)
    throw new SetupError(`apt-get reported success, but these are not there: ${still.join(', ')}.`);
}
