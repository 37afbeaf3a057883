import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@breakwater/contract/openapi';

/** Writes the API description; with `--check` it only says whether the one that is there is fresh. */
const file = fileURLToPath(new URL('../packages/contract/openapi.json', import.meta.url));
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error(
    'packages/contract/openapi.json does not match the routes: run `npm run openapi` and commit the file.',
  );
  process.exitCode = 1;
}
