import { defineConfig, mergeConfig } from 'vite';
import { plainConfig } from './vite.config.ts';

/** The living page of the kit: built and served apart from the console, of which it is no part. */
export default mergeConfig(
  plainConfig,
  defineConfig({
    server: { host: '127.0.0.1', proxy: {}, open: false },
    preview: { host: '127.0.0.1' },
    build: { outDir: 'dist/kit', rolldownOptions: { input: 'kit.html' } },
  }),
);
