import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectNode, root, run, say } from './run.mjs';

const shared = ['packages/contract/src', 'packages/policy/src', 'package-lock.json'];
const targets = [
  {
    name: 'edge',
    what: "the edge's Lua code",
    output: 'packages/edge/dist/edge.lua',
    sources: ['packages/edge/lua', 'packages/edge/build', ...shared],
    build: ['packages/edge/build/build.ts'],
  },
  {
    name: 'console',
    what: 'the console',
    output: 'apps/console/dist/index.html',
    sources: ['src', 'public', 'index.html', 'vite.config.ts', 'chunk-layers.ts', 'package.json']
      .map((part) => `apps/console/${part}`)
      .concat(shared),
    build: ['node_modules/vite/bin/vite.js', 'build', 'apps/console', '--logLevel', 'warn'],
  },
];

/**
 * Builds what is missing or older than its sources, told by their content, not their dates. Answers with what could not
 * be built, whose output a person has seen then.
 */
export async function buildStale() {
  const failed = [];
  const stamps = join(root, 'node_modules/.cache/breakwater');
  for (const { name, what, output, sources, build } of targets) {
    const stamp = join(stamps, name);
    const hash = hashOf(sources);
    if (existsSync(join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue;
    say(`Building ${what} …`);
    if ((await run(projectNode, build)) !== 0) {
      failed.push(what);
      continue;
    }
    mkdirSync(stamps, { recursive: true });
    writeFileSync(stamp, hash);
  }
  return failed;
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources)
    for (const file of filesOf(join(root, source)))
      hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !/\.test\.tsx?$/.test(name));
  return names.sort().flatMap((name) => filesOf(join(path, name)));
}
