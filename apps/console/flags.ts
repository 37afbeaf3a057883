import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folder = join(dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
/** A name of its own for each version, since what lies there is cached for good. */
const path = `assets/flags-${version}`;
const files = readdirSync(join(folder, '3x2')).filter((name) => /^[A-Z]{2}\.svg$/.test(name));

/** What the console knows of the flags: where they lie, and of which countries there are any. */
export const flags = () => ({
  path: `/${path}`,
  codes: files.map((name) => name.slice(0, 2)).join(' '),
});

/** Beside the console a file for each country's flag, of which a browser fetches those that it shows. */
export function flagFiles(): Plugin {
  const read = (name: string) => readFileSync(join(folder, '3x2', name));
  return {
    name: 'breakwater-flags',
    generateBundle() {
      for (const name of files)
        this.emitFile({ type: 'asset', fileName: `${path}/${name}`, source: read(name) });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${path}`, (request, response, next) => {
        const name = request.url?.slice(1) ?? '';
        if (!files.includes(name)) return next();
        response.setHeader('content-type', 'image/svg+xml').end(read(name));
      });
    },
  };
}
