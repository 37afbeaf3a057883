// `npm start`: sets up what is missing and runs the server. Plain Node without packages: on a fresh machine it runs first.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { buildStale } from './setup/build.mjs';
import {
  edgePackages,
  installCommand,
  installPackages,
  mayInstall,
  missingPackages,
} from './setup/debian.mjs';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { SetupError, childEnvironment, projectNode, root, runTool, say } from './setup/run.mjs';

/** npm passes a signal on that the terminal has sent to both of us: what comes this close together is one key press. */
const sameSignalMs = 400;
const secondSignalMs = 3000;

await runTool(async () => {
  checkPlatform();
  await installDependencies();
  await prepareEdge();
  const unbuilt = await buildStale();
  if (unbuilt.length > 0)
    throw new SetupError(`Not built: ${unbuilt.join(' and ')}. What is wrong stands above.`);
  say('Starting the server …');
  return runServer(process.argv.slice(2));
});

/** Without rights to install nginx the console runs all the same: it only has no edge on this machine. */
async function prepareEdge() {
  const missing = missingPackages(edgePackages);
  if (missing.length === 0 || process.env.LOCAL_EDGE === 'false') return;
  if (mayInstall()) {
    try {
      return await installPackages(missing);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
    }
  }
  say(
    `No edge on this machine: ${missing.join(' and ')} not installed. The console runs all the same. To add an edge:`,
  );
  console.log(`\n    ${installCommand(missing)}\n`);
}

/**
 * Runs the server in a process group of its own, so that Ctrl+C reaches it once, through us, and reaches PostgreSQL
 * and nginx only through it. A second Ctrl+C is passed on too, and ends the server by force if it does not obey.
 */
function runServer(args) {
  const child = spawn(projectNode, ['apps/server/src/main.ts', ...args], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
    env: childEnvironment(),
  });
  let lastSignal = 0;
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      const now = Date.now();
      if (now - lastSignal < sameSignalMs) return;
      lastSignal = now;
      signals += 1;
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
      if (signals === 2) setTimeout(() => child.kill('SIGKILL'), secondSignalMs).unref();
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
