import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';

/** A script and all that it imports as one text for a browser, made by what builds the console. */
export async function bundleForBrowser(entry: URL): Promise<string> {
  const outputs = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: { entry: fileURLToPath(entry), formats: ['iife'], name: 'bundle' },
    },
  })) as Rollup.RollupOutput[];
  return outputs
    .flatMap(({ output }) => output)
    .flatMap((each) => (each.type === 'chunk' ? each.code : []))[0]!;
}
