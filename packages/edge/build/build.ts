import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const edgeRoot = join(import.meta.dirname, '..');
const policyRoot = join(edgeRoot, '../policy/src');
const require = createRequire(import.meta.url);

/** Compiles the nginx phases; answers with the path of the Lua bundle. Nothing is done when no source has changed. */
export function buildEdge(): Promise<string> {
  return buildBundle(join(edgeRoot, 'lua/main.ts'), join(edgeRoot, 'dist/edge.lua'));
}

/** One Lua file out of an entry and all it imports; the sources' hash is its first line. */
export async function buildBundle(entry: string, output: string): Promise<string> {
  const mark = `-- sources ${await hashSources(entry)}\n`;
  if (existsSync(output) && (await readFile(output, 'utf8')).startsWith(mark)) return output;
  // Loaded when needed: compilers are large, and nearly always the bundle is there.
  const { compileLua } = await import('./compile-lua.ts');
  const lua = compileLua(entry, output);
  await mkdir(dirname(output), { recursive: true });
  // Threads of one process may do this at once.
  const aside = `${output}.${randomUUID()}`;
  await writeFile(aside, mark + lua);
  await rename(aside, output);
  return output;
}

async function hashSources(entry: string): Promise<string> {
  const hash = createHash('sha256');
  const compilers = ['typescript', 'typescript-to-lua'].map((name) =>
    require.resolve(`${name}/package.json`),
  );
  const files = [fileURLToPath(import.meta.url), join(edgeRoot, 'build/compile-lua.ts'), ...compilers, entry];
  for (const folder of [join(edgeRoot, 'lua'), policyRoot, join(edgeRoot, '../contract/src')])
    for (const name of await readdir(folder, { recursive: true }))
      if (name.endsWith('.ts')) files.push(join(folder, name));
  for (const file of files.sort()) hash.update(file.slice(edgeRoot.length)).update(await readFile(file));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildEdge());
