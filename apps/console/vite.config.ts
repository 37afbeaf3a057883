import { routes } from '@breakwater/contract';
import react from '@vitejs/plugin-react';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { iconNames } from './src/kit/icon-names.ts';

interface IconSet {
  icons: Record<string, { body: string }>;
}

/** A module that is made at build time. */
function virtual(id: string, make: () => unknown): Plugin {
  return {
    name: `breakwater-${id}`,
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(make())}` : undefined),
  };
}

/** `virtual:icons`: of the whole icon set only what `icon-names.ts` lists, so that nothing is fetched at run time. */
function icons(): Record<string, unknown> {
  const set = createRequire(import.meta.url)('@iconify-json/solar/icons.json') as IconSet;
  return Object.fromEntries(
    Object.entries(iconNames).map(([name, solar]) => {
      const icon = set.icons[solar];
      if (!icon) throw new Error(`icon ${solar} (${name}) is not in the set`);
      return [name, { body: icon.body, width: 24, height: 24 }];
    }),
  );
}

/** `virtual:routes`: what a call needs of the contract. Without its schemas, a visitor waits for a third less. */
function routeTable(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(routes).map(([name, { method, path, access }]) => [name, { method, path, access }]),
  );
}

/**
 * What every page needs, in few files; all the rest goes where it is used. `zod-without-eval` must run before any
 * schema is made, so it is in one file with zod.
 */
const groups = [
  {
    name: 'styles',
    test: /node_modules\/(@mui\/(system|styled-engine|utils|private-theming|material\/(styles|utils))|@emotion|stylis)\//,
  },
  { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/ },
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core))\//,
  },
];

export default defineConfig({
  plugins: [react(), virtual('virtual:icons', icons), virtual('virtual:routes', routeTable)],
  server: {
    proxy: Object.fromEntries(['/prod-api', '/config.json'].map((path) => [path, 'http://127.0.0.1:8090'])),
  },
  build: {
    target: 'es2023',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
      },
    },
  },
});
