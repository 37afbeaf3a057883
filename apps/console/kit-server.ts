import { fileURLToPath } from 'node:url';
import { build, createServer, preview } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const configFile = fileURLToPath(new URL('vite.kit.config.ts', import.meta.url));

/**
 * Builds the kit's page into a folder and serves it; answers its address and how to end. For `development` the libraries
 * warn of what is wrongly used, and take thrice as long; `production` is what people get.
 */
export async function serveBuiltKit(
  outDir: string,
  mode: 'production' | 'development',
): Promise<{ address: string; close: () => Promise<void> }> {
  const { NODE_ENV } = process.env;
  // A runner of tests sets another one, which Vite would take for development.
  process.env.NODE_ENV = mode;
  await build({ root, configFile, mode, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  process.env.NODE_ENV = NODE_ENV ?? mode;
  const server = await preview({
    root,
    configFile,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 4300 },
  });
  return { address: `${server.resolvedUrls!.local[0]}kit.html`, close: () => server.close() };
}

/** `npm run kit`: the page as it is written, drawn anew at every change. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await createServer({ root, configFile, server: { port: 4200 } });
  await server.listen();
  console.log(`The kit: ${server.resolvedUrls!.local[0]}kit.html`);
}
