import { fileURLToPath } from 'node:url';
import { build, mergeConfig, preview, type InlineConfig } from 'vite';
import { plainConfig } from './vite.config.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Builds the bare pages as the console is built, and serves them, with the API of a running server behind them. */
export async function serveBarePages(
  outDir: string,
  api: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const pages: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: ['bare-sign-in.html', 'bare-table.html'].map((page) => root + page) },
    },
    preview: { host: '127.0.0.1', port: 4400, proxy: { '/prod-api': api } },
  };
  const config = mergeConfig(plainConfig, pages);
  await build(config);
  const server = await preview(config);
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}
