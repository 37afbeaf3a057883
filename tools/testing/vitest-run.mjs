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

/**
 * Runs one project of vitest, and leaves no process and no file behind, however it ends. A run that fails without a failed
 * test counts as one failure.
 * @param {string} project
 * @param {{ filters?: string[], env?: Record<string, string>, silentMinutes?: number, config?: string }} [options]
 * @returns {Promise<{ passed: number, failed: number, skipped: number, failures: string[], unsteady: string[], files: FileResult[], cpuSeconds: number }>}
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, failures: string[], unsteady: string[], importSeconds: number, testSeconds: number }} FileResult
 */
export async function runVitest(project, options = {}) {
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
  result.unsteady.push(...file.unsteady);
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
