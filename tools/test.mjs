// `npm test`: sets up what is missing, runs every check and test, and closes with `N passed, N failed`. Plain Node
// without packages: on a fresh machine it runs first. `npm test -- --only server path…` runs a part.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStale } from './setup/build.mjs';
import {
  installCommand,
  installPackages,
  mayInstall,
  missingPackages,
  testPackages,
} from './setup/debian.mjs';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { SetupError, projectNode, root, run, runTool, say } from './setup/run.mjs';
import { readChecks, readVitest } from './setup/results.mjs';

/** The stages in order, with the Debian packages that each cannot do without. */
const stages = [
  { name: 'check', needs: [] },
  { name: 'unit', needs: [] },
  { name: 'server', needs: ['nginx', 'libnginx-mod-http-lua', 'openssl'] },
  { name: 'fuzz', needs: ['openssl'] },
  { name: 'edge', needs: ['nginx', 'libnginx-mod-http-lua', 'openssl'] },
  { name: 'browser', needs: Object.keys(testPackages) },
];

/** A stage takes a few minutes; one that hangs must not hold up the count. */
const stageMinutesMax = 25;

/** Counts, and one line for each failure. */
const total = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };

await runTool(async () => {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    fail(error.message);
  }
  if (total.failures.length > 0)
    console.log(`\nFailed:\n${total.failures.map((failure) => `  ✗ ${failure}`).join('\n')}`);
  console.log(`\n${count(total)}`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});

async function main() {
  const { only, filters } = readArguments(process.argv.slice(2));
  checkPlatform();
  await installDependencies();
  const missing = await installTestPackages();
  for (const what of await buildStale()) fail(`build: ${what}`);
  for (const stage of stages) {
    if (only && stage.name !== only) continue;
    const started = Date.now();
    console.log(`\n━━ ${stage.name} ━━`);
    const result = await runStage(stage, filters, missing);
    for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key];
    total.failures.push(...result.failures.map((failure) => `${stage.name}: ${failure}`));
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`━━ ${stage.name}: ${count(result)} in ${seconds} s`);
  }
}

function fail(what) {
  total.failed += 1;
  total.failures.push(what);
}

function count({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function readArguments(args) {
  if (args.length === 0) return { only: undefined, filters: [] };
  const [flag, only, ...filters] = args;
  if (flag !== '--only' || !stages.some((stage) => stage.name === only))
    throw new SetupError(
      `Usage: npm test [-- --only ${stages.map((stage) => stage.name).join('|')} [path…]]`,
    );
  return { only, filters };
}

async function installTestPackages() {
  const missing = missingPackages(testPackages);
  if (missing.length === 0) return [];
  if (mayInstall()) {
    await installPackages(missing);
    return [];
  }
  say(
    `These Debian packages are missing, and this user may not install them: ${missing.join(', ')}. What needs them fails.`,
  );
  console.log(`\n    ${installCommand(missing)}\n`);
  return missing;
}

async function runStage({ name, needs }, filters, missing) {
  const lacking = needs.filter((need) => missing.includes(need));
  if (lacking.length > 0)
    return { passed: 0, failed: 1, skipped: 0, failures: [`not run: ${lacking.join(', ')} missing`] };
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'));
  const report = join(folder, 'report.json');
  try {
    if (name === 'check')
      return readChecks(report, await run(projectNode, ['tools/check/main.ts', '--report', report]));
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...reporters, ...filters];
    return readVitest(report, await run(projectNode, args, { minutesMax: stageMinutesMax }), root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
