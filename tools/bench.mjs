// `npm run bench:NAME`: sets up what a benchmark needs and runs it. Plain Node, so that it can set up first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildStale } from './setup/build.mjs';
import {
  benchPackages,
  installCommand,
  installPackages,
  mayInstall,
  missingPackages,
} from './setup/debian.mjs';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { SetupError, findProgram, projectNode, root, run, runTool } from './setup/run.mjs';

/** Those that start a real OpenSearch, from libraries of Maven Central. */
const pomOf = { opensearch: 'tools/log-engine/opensearch/pom.xml' };

await runTool(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const script = `bench/${name}.ts`;
  if (!/^[a-z]+$/.test(name) || !existsSync(join(root, script)))
    throw new SetupError('Usage: npm run bench:NAME [-- part…]');
  checkPlatform();
  await installDependencies();
  const missing = missingPackages(benchPackages);
  if (missing.length > 0 && !mayInstall())
    throw new SetupError(`Missing for benchmarks: ${missing.join(', ')}.\n\n    ${installCommand(missing)}`);
  if (missing.length > 0) await installPackages(missing);
  const pom = pomOf[name];
  if (pom !== undefined) await fetchLibraries(pom);
  const unbuilt = await buildStale();
  if (unbuilt.length > 0) throw new SetupError(`Not built: ${unbuilt.join(' and ')}.`);
  return run(projectNode, [script, ...args]);
});

async function fetchLibraries(pom) {
  const missing = ['mvn', 'java'].filter((program) => !findProgram(program));
  if (missing.length > 0) throw new SetupError(`Missing for this benchmark: ${missing.join(', ')}.`);
  if ((await run('mvn', ['-B', '-q', '-f', pom, 'generate-resources'])) !== 0)
    throw new SetupError('The libraries of OpenSearch could not be fetched from Maven Central.');
}
