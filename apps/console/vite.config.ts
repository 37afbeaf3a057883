import react from '@vitejs/plugin-react';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, mergeConfig, type Plugin, type UserConfig } from 'vite';
import { baseGroups, calledOnLoad, layerChunks } from './chunk-layers.ts';
import { firstFiles } from './first-files.ts';
import { flagFiles, flags } from './flags.ts';
import { iconFile, icons } from './icons.ts';
import { gzipSync } from 'node:zlib';
import { guestTable, roleTables, withoutPaths } from './role-tables.ts';

/** A module that is made at build time. */
function virtual(id: string, make: () => unknown): Plugin {
  return {
    name: `breakwater-${id}`,
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(make())}` : undefined),
  };
}

/**
 * For V8 (Chromium 136): all functions of these files are compiled while they are fetched, on another thread. Else each is compiled
 * when it is first called, two thousand until a list is drawn. Not for what has much that no page calls at once.
 */
const compileHint = '//# allFunctionsCalledOnLoad\n';

/** Last of all: the hint, which only holds as the first line of a file, and beside each text file its gzip form, which the server sends as it is. */
function finishedFiles(): Plugin {
  return {
    name: 'breakwater-finished-files',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(js|css|svg)$/.test(fileName)) continue;
        const path = join(dir!, fileName);
        let text = await readFile(path, 'utf8');
        if (file.type === 'chunk' && calledOnLoad.has(file.name)) {
          text = compileHint + text;
          await writeFile(path, text);
        }
        if (text.length > 1000) await writeFile(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** The build without its layers: enough for pages that are measured or looked at alone. */
export const plainConfig: UserConfig = {
  plugins: [
    react(),
    virtual('virtual:icons', icons),
    virtual('virtual:flags', flags),
    flagFiles(),
    iconFile(),
    virtual('virtual:routes', guestTable),
    virtual('virtual:tables/admin', () => roleTables('admin')),
    virtual('virtual:tables/user', () => roleTables('user')),
    withoutPaths(),
  ],
  resolve: {
    alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'src/api/zod-without-eval.ts') }],
  },
  server: {
    proxy: Object.fromEntries(['/prod-api', '/config.json'].map((path) => [path, 'http://127.0.0.1:8090'])),
  },
  build: {
    target: 'es2023',
    // Every browser of that age preloads modules by itself.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: baseGroups } } },
  },
};

export default defineConfig(async ({ command }) => {
  if (command !== 'build') return plainConfig;
  const chunkOf = await layerChunks({ ...plainConfig, root: import.meta.dirname });
  // Each layer holds all that it needs, or one before it does.
  const layers = { name: chunkOf, debugName: 'layers', includeDependenciesRecursively: false };
  return mergeConfig(plainConfig, {
    plugins: [firstFiles(), finishedFiles()],
    build: { rolldownOptions: { output: { codeSplitting: { groups: [layers] } } } },
  });
});
