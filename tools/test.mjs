// `npm test`: sets up what is missing, runs every check and test, and closes with `N passed, N failed`. Plain Node
// without packages: on a fresh machine it runs first. `npm test -- --only server path…` runs a part.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './setup/build.mjs';
import {
  installCommand,
  installPackages,
  mayInstall,
  missingPackages,
  testPackages,
} from './setup/debian.mjs';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { SetupError, projectNode, run, runTool, say } from './setup/run.mjs';
import { hostileTests } from './testing/hostile-tests.mjs';
import { Stopped, withRunFolder } from './testing/run-folder.mjs';
import { count, sayFailures, sayTimes, sayUnsteady } from './testing/say.mjs';
import { runVitest } from './testing/vitest-run.mjs';

/** The stages in order, with the Debian packages that each cannot do without. Those with a suite run where it is asked for. */
const stages = [
  { name: 'check', needs: [] },
  { name: 'unit', needs: [] },
  { name: 'server', needs: ['nginx', 'libnginx-mod-http-lua', 'openssl'] },
  { name: 'fuzz', needs: ['openssl'] },
  { name: 'edge', needs: ['nginx', 'libnginx-mod-http-lua', 'openssl'] },
  { name: 'browser', needs: Object.keys(testPackages) },
  { name: 'looks', suite: 'looks', needs: Object.keys(testPackages) },
];

const usage = `Usage: npm test [-- --only ${stages.map((stage) => stage.name).join('|')} [path…]] [-- --times FILE]`;

await runTool(async () => {
  const { chosen, filters, times } = readArguments();
  const total = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], stages: [] };
  const started = Date.now();
  try {
    await runStages(chosen, filters, total);
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof Stopped)) throw error;
    total.failed += 1;
    total.failures.push(error instanceof Stopped ? 'stopped before the end' : error.message);
  }
  const minutes = (Date.now() - started) / 60_000;
  if (times !== undefined) writeFileSync(times, JSON.stringify({ minutes, stages: total.stages }));
  sayUnsteady(total.unsteady);
  sayFailures(total.failures);
  console.log(`\nIn ${minutes.toFixed(1)} minutes\n\n${count(total)}`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});

/** What the command asks for: all stages of `npm test`, one of them, the looks, or the hostile tests of each stage. */
function readArguments() {
  const options = {
    only: { type: 'string' },
    hostile: { type: 'boolean' },
    at: { type: 'string' },
    times: { type: 'string' },
  };
  let parsed;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new SetupError(`${error.message}\n${usage}`);
  }
  const { only, hostile, at, times } = parsed.values;
  const filters = parsed.positionals;
  if (only === undefined ? filters.length > 0 : !stages.some((stage) => stage.name === only))
    throw new SetupError(usage);
  const named = stages.filter((stage) =>
    only === undefined ? stage.suite === undefined : stage.name === only,
  );
  // At an installation that runs, which the file describes.
  if (at !== undefined)
    return { chosen: [{ name: 'attack', needs: [], env: { ATTACK_TARGET: resolve(at) } }], filters, times };
  if (!hostile) return { chosen: named, filters, times };
  const chosen = named.filter((stage) => hostileTests[stage.name] !== undefined);
  return { chosen: chosen.map((stage) => ({ ...stage, filters: hostileTests[stage.name] })), filters, times };
}

async function runStages(chosen, filters, total) {
  checkPlatform();
  await installDependencies();
  const missing = await installTestPackages();
  for (const what of await buildStale()) {
    total.failed += 1;
    total.failures.push(`build: ${what}`);
  }
  for (const stage of chosen) {
    const started = Date.now();
    console.log(`\n━━ ${stage.name} ━━`);
    const result = await runStage(stage, filters, missing);
    const seconds = (Date.now() - started) / 1000;
    for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key];
    total.failures.push(...result.failures.map((failure) => `${stage.name}: ${failure}`));
    total.unsteady.push(...(result.unsteady ?? []).map((name) => `${stage.name}: ${name}`));
    total.stages.push({ name: stage.name, seconds, ...result });
    console.log(`━━ ${stage.name}: ${count(result)} in ${seconds.toFixed(1)} s`);
    if (result.files !== undefined) sayTimes(result.files, result.cpuSeconds);
  }
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

async function runStage({ name, needs, env, filters: own = [] }, filters, missing) {
  const lacking = needs.filter((need) => missing.includes(need));
  if (lacking.length > 0)
    return { passed: 0, failed: 1, skipped: 0, failures: [`not run: ${lacking.join(', ')} missing`] };
  return name === 'check' ? runChecks() : runVitest(name, { filters: [...own, ...filters], env });
}

/** Each check counts as one test. */
function runChecks() {
  return withRunFolder(async ({ folder }) => {
    const report = join(folder, 'report.json');
    await run(projectNode, ['tools/check/main.ts', '--report', report]);
    const checks = JSON.parse(readFileSync(report, 'utf8'));
    const failures = checks.filter((check) => !check.ok).map((check) => check.name);
    return { passed: checks.length - failures.length, failed: failures.length, skipped: 0, failures };
  });
}
