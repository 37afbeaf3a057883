import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childEnvironment, projectNode, root } from '../setup/run.mjs';
import { withRunFolder } from './run-folder.mjs';

/**
 * The longest time in which no test and no set-up ends. Each has a limit of its own, at most five minutes: what passes this
 * one hangs. How long a stage takes in all is not limited.
 */
const silentMinutesMax = 6;

const quickImports = new URL('./quick-imports.mjs', import.meta.url).href;
const nodeOptions = [process.env.NODE_OPTIONS, `--import=${quickImports}`].filter(Boolean).join(' ');

/** What fails in more files than these is no moment of the machine. */
const secondTriesMax = 5;

/**
 * In CI files of real processes have a second try: one in thousands meets a moment of the machine, and a change is not to be
 * refused for it. Elsewhere there is none, so that they are found.
 */
const hasSecondTry = (project) => process.env.CI !== undefined && !['unit', 'fuzz'].includes(project);

/**
 * Runs one project of vitest, and leaves no process and no file behind, however it ends. A run that fails without a failed
 * test counts as one failure. Where there is a second try, files that failed are run again, each as a whole with its set-up,
 * and what failed at first is `unsteady` when they hold then.
 * @param {string} project
 * @param {{ filters?: string[], env?: Record<string, string>, silentMinutes?: number, config?: string, secondTry?: boolean }} [options]
 * @returns {Promise<RunResult>}
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], unsteady: string[], files: FileResult[], cpuSeconds: number }} RunResult
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, failures: string[], importSeconds: number, testSeconds: number }} FileResult
 */
export async function runVitest(project, options = {}) {
  const { secondTry = hasSecondTry(project) } = options;
  const first = await runOnce(project, options);
  const failed = first.files.filter((file) => file.failed > 0);
  const isWithinFiles = sumOf(failed, 'failed') === first.failed;
  if (!secondTry || failed.length === 0 || failed.length > secondTriesMax || !isWithinFiles) return first;
  console.log(`\nOnce more: ${failed.map(({ name }) => name).join(', ')}`);
  const second = await runOnce(project, { ...options, filters: failed.map(({ name }) => name) });
  return {
    passed: first.passed - sumOf(failed, 'passed') + second.passed,
    failed: second.failed,
    skipped: first.skipped - sumOf(failed, 'skipped') + second.skipped,
    failures: second.failures,
    unsteady: first.failures.filter((failure) => !second.failures.includes(failure)),
    files: [...first.files.filter((file) => !failed.includes(file)), ...second.files],
    cpuSeconds: first.cpuSeconds + second.cpuSeconds,
  };
}

const sumOf = (files, key) => files.reduce((sum, file) => sum + file[key], 0);

async function runOnce(project, options) {
  const { filters = [], env = {}, silentMinutes = silentMinutesMax, config } = options;
  const result = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], files: [], cpuSeconds: 0 };
  const cpuBefore = childrenCpuSeconds();
  const outcome = await withRunFolder(async ({ folder, started }) => {
    const reporters = ['--reporter=default', '--reporter=./tools/testing/reporter.mjs'];
    const where = config === undefined ? [] : ['--config', config];
    const child = spawn(
      projectNode,
      ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...where, ...reporters, ...filters],
      {
        cwd: root,
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        env: childEnvironment({ ...env, TMPDIR: folder, NODE_OPTIONS: nodeOptions }),
      },
    );
    started(child);
    return follow(child, result, silentMinutes);
  });
  result.cpuSeconds = childrenCpuSeconds() - cpuBefore;
  if (outcome !== undefined && (result.failed === 0 || outcome.hung)) {
    result.failed += 1;
    result.failures.push(outcome.what);
  }
  return result;
}

/** Takes in what the reporter tells until the process has ended. Answers with what went wrong beside failed tests. */
function follow(child, result, silentMinutes) {
  return new Promise((resolve, reject) => {
    const doing = new Set();
    let hung;
    const hang = () => {
      const last = [...doing].slice(-4).join('; ') || 'the set-up or the end of the run';
      hung = `nothing ended for ${silentMinutes} minutes, so it was stopped. Under way: ${last}`;
      console.error(`\n${hung}`);
      end(child);
    };
    let timer = setTimeout(hang, silentMinutes * 60_000);
    child.on('message', (message) => {
      if (message.doing !== undefined) doing.add(message.doing);
      if (message.done === undefined && message.error === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(hang, silentMinutes * 60_000);
      doing.delete(message.done);
      take(message, result);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (hung !== undefined) resolve({ hung: true, what: hung });
      else if (code === 0) resolve(undefined);
      else
        resolve({ hung: false, what: `the run ended with ${signal ?? `exit code ${code}`}; see its output` });
    });
  });
}

function take({ file, error }, result) {
  if (error !== undefined) {
    result.failed += 1;
    result.failures.push(`outside of any test: ${error}`);
  }
  if (file === undefined) return;
  result.files.push(file);
  for (const key of ['passed', 'failed', 'skipped']) result[key] += file[key];
  result.failures.push(...file.failures);
}

/** Ends it: at once where it does not obey within some seconds. What it started is swept up afterwards. */
function end(child) {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  child.once('exit', () => clearTimeout(force));
}

/** Processor time of all children that have ended and of theirs (`cutime` and `cstime` of proc(5), in hundredths of a second). */
function childrenCpuSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
