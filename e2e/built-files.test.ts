import { rolesOf, routes, screens, type Access } from '@breakwater/contract';
import { startWorld, type World } from '@breakwater/test-world';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const folder = new URL('../apps/console/dist/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

interface Chunk {
  /** Files that it cannot run without. */
  needs: string[];
  /** Files that it fetches when they are wanted. */
  fetches: string[];
}
function chunkOf(file: string): Chunk {
  const text = read(file);
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => `assets/${name!}`);
  return {
    needs: named(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
    fetches: named(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
  };
}

/** All that a window may come to fetch, from its page on; but for files that this part of the console leaves alone. */
function reached(start: readonly string[], without: RegExp): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || without.test(file)) return;
    seen.add(file);
    const { needs, fetches } = chunkOf(file);
    [...needs, ...fetches].forEach(visit);
  };
  start.forEach(visit);
  return [...seen];
}

const page = read('index.html');
const entries = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!);

const pathsFor = (
  all: Record<string, { path: string; access: Access }>,
  wanted: (access: Access) => boolean,
) =>
  new Set(
    Object.values(all)
      .filter(({ access }) => wanted(access))
      .map(({ path }) => path),
  );
/** Calls and screens that nobody but operators has. */
const operatorsPaths = [routes, screens].flatMap((all) => {
  const operators = pathsFor(all, ({ kind }) => kind === 'admin');
  return [
    ...operators.difference(
      pathsFor(all, (access) => access.kind === 'public' || rolesOf(access).includes('user')),
    ),
  ];
});
/** Which of the paths stand in a file, as texts of their own. */
const foundIn = (file: string, paths: readonly string[]): string[] => {
  const text = read(file);
  return paths.filter((path) => ['"', "'", '`'].some((quote) => text.includes(quote + path + quote)));
};

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world?.close());

test('no path of operators is in any file that a customer may come to fetch', () => {
  const files = reached(entries, /\/operator-/);
  expect(files.length).toBeGreaterThan(50);
  expect(files.some((file) => file.includes('/customer-'))).toBe(true);
  expect(operatorsPaths.length).toBeGreaterThan(80);
  expect(files.flatMap((file) => foundIn(file, operatorsPaths).map((path) => `${file}: ${path}`))).toEqual(
    [],
  );
  // They are where they belong, so that the search above would find them.
  const operator = reached(entries, /\/customer-/).filter((file) => file.includes('/operator-'));
  expect(operator.flatMap((file) => foundIn(file, operatorsPaths)).sort()).toEqual(
    [...operatorsPaths].sort(),
  );
});

test('the pages before sign-in have no table of calls but their own', () => {
  const files = reached(entries, /\/(operator|customer|shell)-/);
  const later = [...pathsFor(routes, ({ kind }) => kind !== 'public')];
  expect(files.some((file) => file.includes('/guests-'))).toBe(true);
  const own = pathsFor(routes, ({ kind }) => kind === 'public');
  const found = files.flatMap((file) =>
    foundIn(
      file,
      later.filter((path) => !own.has(path)),
    ),
  );
  expect(found).toEqual([]);
});

test('the list of first files is read by the server and served to nobody', async () => {
  for (const url of [world.adminUrl, world.userUrl])
    expect((await fetch(new URL('/first-files.json', url))).status).toBe(404);
  const named = async (url: string, path: string) => (await fetch(new URL(path, url))).text();
  expect(await named(world.adminUrl, '/dashboard')).toMatch(/assets\/operator-/);
  expect(await named(world.userUrl, '/dashboard')).not.toMatch(/assets\/operator-/);
  expect(await named(world.userUrl, '/dashboard')).toMatch(/assets\/customer-/);
  expect(await named(world.userUrl, screens.nodes.path)).not.toMatch(/modulepreload[^>]*node-/);
});
