import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = join(root, 'node_modules/.bin');
/** The Node of the project, which npm installs. */
export const projectNode = join(bin, 'node');

/** What a person can act upon: shown without a stack trace. */
export class SetupError extends Error {}

/** One line about what happens now. */
export function say(text) {
  console.log(`• ${text}`);
}

/** Where Node keeps what it compiled: the server starts in half the time. Where it may not write, it does without. */
const compileCache = join(root, 'node_modules/.cache/breakwater/compiled');

/** The environment for children: the project's own programs are found first. */
export function childEnvironment(extra = {}) {
  return {
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    PATH: `${bin}:${process.env.PATH ?? ''}:/usr/sbin:/sbin`,
    ...extra,
  };
}

/**
 * Runs a program whose output a person sees; answers with its exit code.
 * @param {{ env?: Record<string, string>, minutesMax?: number }} [options] what takes longer is ended, and has failed.
 */
export function run(command, args, { env = {}, minutesMax } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: childEnvironment(env) });
    const limit = minutesMax && setTimeout(() => stop(child, minutesMax), minutesMax * 60_000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      resolve(signal ? 128 : (code ?? 1));
    });
  });
}

function stop(child, minutes) {
  console.error(`Not done after ${minutes} minutes: stopping it.`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
}

export async function mustRun(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new SetupError(`${[command, ...args].join(' ')} failed (exit code ${code}).`);
}

/** The path of a program, or undefined. */
export function findProgram(name) {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], {
    encoding: 'utf8',
    env: childEnvironment(),
  });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

/** Runs the main function of a tool: a `SetupError` is one sentence, anything else keeps its trace. */
export async function runTool(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
