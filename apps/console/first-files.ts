import { rolesOf, routes, screens, type Role, type ScreenId } from '@breakwater/contract';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import type * as z from 'zod';
import type { EarlyRead } from './src/api/early-read.ts';
import { parseSearch } from './src/api/search-values.ts';

const source = (file: string) => fileURLToPath(new URL(`src/${file}`, import.meta.url));
const guestPages = {
  '/auth/jwt/sign-in': [],
  '/auth/jwt/sign-up': ['shell/auth/sign-up.tsx'],
};
const guests = 'shell/guests.tsx';
const shell = ['shell/console.tsx', 'shell/dashboard-layout.tsx'];
/** What a role has of the console. The server names it on the role's own port. */
const roles: Record<Role, string> = { admin: 'shell/role/operator.ts', user: 'shell/role/customer.ts' };

/** Of a page of the console. */
interface FirstFiles {
  /** The scripts it will ask for after those that `index.html` names. */
  scripts: string[];
  /** What it asks the server, and the script that does so before the others are there. */
  early?: { script: string; reads: EarlyRead[] };
}

/**
 * Writes `first-files.json`: by role and the path of a page, what it will ask for. The server writes it into the page, so that a
 * browser fetches all at once instead of one layer after the other.
 */
export function firstFiles(): Plugin {
  return {
    name: 'breakwater-first-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('index.html'))!;
      const known = withImports(bundle, [entry.fileName]);
      const homeOf = (file: string): string => {
        const home =
          chunks.find((chunk) => chunk.facadeModuleId === source(file)) ??
          chunks.find((chunk) => chunk.moduleIds.includes(source(file)));
        if (!home) throw new Error(`no file of the build holds ${file}`);
        return home.fileName;
      };
      const filesOf = (...files: string[]): string[] => [
        ...withImports(bundle, files.map(homeOf)).difference(known),
      ];
      const script = homeOf('api/early-reads.ts');
      const pagesOf = (role: Role): [string, FirstFiles][] => [
        ...Object.entries(guestPages).map(([path, files]): [string, FirstFiles] => [
          path,
          { scripts: filesOf(guests, ...files) },
        ]),
        ...Object.entries(screenFiles())
          .filter(([id]) => rolesOf(screens[id as ScreenId].access).includes(role))
          .map(([id, files]): [string, FirstFiles] => [
            screens[id as ScreenId].path,
            { scripts: filesOf(roles[role], ...shell, ...files), early: { script, reads: readsOf(files) } },
          ]),
      ];
      const pages = (Object.keys(roles) as Role[]).map((role) => [role, Object.fromEntries(pagesOf(role))]);
      this.emitFile({
        type: 'asset',
        fileName: 'first-files.json',
        source: JSON.stringify(Object.fromEntries(pages)),
      });
    },
  };
}

/** These files of the build and all that they import. */
function withImports(bundle: Rolldown.OutputBundle, files: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle[name];
    if (seen.has(name) || chunk?.type !== 'chunk') return;
    seen.add(name);
    chunk.imports.forEach(visit);
  };
  files.forEach(visit);
  return seen;
}

/** Who is signed in, and the list that a module of the screen begins with, as it says by `firstRead`. */
function readsOf(files: readonly string[]): EarlyRead[] {
  const reads: EarlyRead[] = [{ path: routes.currentAccount.path }];
  for (const file of files) {
    const text = readFileSync(source(file), 'utf8');
    const [, list] = /export const \{ firstRead \} = (\w+);/.exec(text) ?? [];
    const [, name] = new RegExp(`const ${list} = listOf\\('(\\w+)'`).exec(text) ?? [];
    if (name === undefined) continue;
    const { path, query } = routes[name as 'listSites'];
    const byDefault = parseSearch(query as z.ZodObject, {}) as Record<string, string | number | undefined>;
    const names = Object.keys(query.shape);
    reads.push({
      path,
      list: { name, query: names.map((one) => [one, String(byDefault[one] ?? '')]) },
    });
  }
  return reads;
}

/** The modules of every screen, as the files of `shell/screens/` import them. */
function screenFiles(): Record<ScreenId, string[]> {
  const text = ['shared', 'operator', 'customer']
    .map((name) => readFileSync(source(`shell/screens/${name}.ts`), 'utf8'))
    .join('');
  const files: Record<string, string[]> = {};
  for (const [, id, rest] of text.matchAll(/(\w+): lazyScreen\(([^;]*?)\),\n(?= {2}\w|\})/g))
    files[id!] = [...rest!.matchAll(/import\('\.\.\/\.\.\/([^']+)'\)/g)].map(([, file]) => file!);
  for (const id of Object.keys(screens))
    if (!files[id]?.length) throw new Error(`shell/screens/ imports no module for ${id}`);
  return files as Record<ScreenId, string[]>;
}
