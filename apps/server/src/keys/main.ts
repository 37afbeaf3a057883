import { readConfig } from '../config.ts';
import { rotateKeys } from './rotate-keys.ts';

/** `npm run rotate-keys`: see "Keys" in `docs/operations.md`. */
try {
  const lines = await rotateKeys(process.argv.slice(2), readConfig());
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
