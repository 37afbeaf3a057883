import react from '@vitejs/plugin-react';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { iconNames } from './src/kit/icon-names.ts';

interface IconSet {
  icons: Record<string, { body: string }>;
}

/** `virtual:icons`: of the whole icon set only what `icon-names.ts` lists, so that nothing is fetched at run time. */
function icons(): Plugin {
  const id = 'virtual:icons';
  return {
    name: 'breakwater-icons',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined;
      const set = createRequire(import.meta.url)('@iconify-json/solar/icons.json') as IconSet;
      const entries = Object.entries(iconNames).map(([name, solar]) => {
        const icon = set.icons[solar];
        if (!icon) throw new Error(`icon ${solar} (${name}) is not in the set`);
        return [name, { body: icon.body, width: 24, height: 24 }];
      });
      return `export default ${JSON.stringify(Object.fromEntries(entries))}`;
    },
  };
}

const vendors: Record<string, RegExp> = {
  charts: /node_modules\/(echarts|zrender)\//,
  mui: /node_modules\/(@mui|@emotion|@popperjs|stylis|react-transition-group)\//,
  vendor: /node_modules\/(react|react-dom|scheduler|zod|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core))\//,
};

export default defineConfig({
  plugins: [react(), icons()],
  server: {
    proxy: Object.fromEntries(['/prod-api', '/config.json'].map((path) => [path, 'http://127.0.0.1:8090'])),
  },
  build: {
    target: 'es2023',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: Object.entries(vendors)
            .filter(([name]) => name !== 'charts')
            .map(([name, test]) => ({ name, test })),
        },
      },
    },
  },
});
