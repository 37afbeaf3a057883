import { screens, type ScreenId } from '@breakwater/contract';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const source = (file: string) => fileURLToPath(new URL(`src/${file}`, import.meta.url));
const guestPages = {
  '/auth/jwt/sign-in': 'shell/auth/sign-in.tsx',
  '/auth/jwt/sign-up': 'shell/auth/sign-up.tsx',
};
const dashboardLayout = 'shell/dashboard-layout.tsx';

/**
 * Writes `first-files.json`: by the path of a page, the scripts it will ask for after those that `index.html` names. The
 * server names them in the page, so that a browser fetches all at once instead of one layer after the other.
 */
export function firstFiles(): Plugin {
  return {
    name: 'breakwater-first-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry)!;
      const known = withImports(bundle, [entry.fileName]);
      const filesOf = (...files: string[]): string[] => {
        const homes = files.map((file) => {
          const home =
            chunks.find((chunk) => chunk.facadeModuleId === source(file)) ??
            chunks.find((chunk) => chunk.moduleIds.includes(source(file)));
          if (!home) throw new Error(`no file of the build holds ${file}`);
          return home.fileName;
        });
        return [...withImports(bundle, homes).difference(known)];
      };
      const pages = [
        ...Object.entries(guestPages).map(([path, file]) => [path, filesOf(file)]),
        ...Object.entries(screenFiles()).map(([id, file]) => [
          screens[id as ScreenId].path,
          filesOf(dashboardLayout, file),
        ]),
      ];
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

/** The module of every screen, as `shell/screens.ts` imports it. */
function screenFiles(): Record<ScreenId, string> {
  const text = readFileSync(source('shell/screens.ts'), 'utf8');
  const found = text.matchAll(/(\w+): lazyScreen\(\s*\(\) => import\('\.\.\/([^']+)'\)/g);
  const files = Object.fromEntries([...found].map(([, id, file]) => [id, file]));
  for (const id of Object.keys(screens))
    if (!(id in files)) throw new Error(`shell/screens.ts imports no module for ${id}`);
  return files as Record<ScreenId, string>;
}
