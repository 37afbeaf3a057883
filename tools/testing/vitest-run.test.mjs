import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { projectNode, root } from '../setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A run of a fixture in a process of its own, with what it has printed. */
function startRun(args, env = {}) {
  const child = spawn(projectNode, ['tools/testing/fixtures/run.mjs', ...args], {
    cwd: root,
    // A run within a run: vitest's own names for its workers are not handed on.
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (run.output += String(chunk)));
  return run;
}

async function resultOf(run) {
  await once(run.child, 'close');
  const line = run.output.split('\n').find((each) => each.startsWith('RESULT '));
  if (line === undefined) throw new Error(`no result:\n${run.output}`);
  return JSON.parse(line.slice('RESULT '.length));
}

const isRunning = (pid) =>
  existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Each takes seconds, and more on a busy machine. */
const patient = { timeout: 100_000 };

async function untilLeft(file) {
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('}'), patient);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const untilSwept = ({ folder: left, pids }) =>
  vi.waitUntil(() => !pids.some(isRunning) && !existsSync(left), patient);

test.concurrent('tests are counted as they end, failures named, and files timed', async () => {
  const result = await resultOf(startRun(['mixed']));
  expect(result).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
  expect(result.failures).toEqual([
    'tools/testing/fixtures/mixed.fixture.mjs › does not hold: expected 1 to be 2 // Object.is equality',
  ]);
  expect(result.files).toHaveLength(1);
  expect(result.cpuSeconds).toBeGreaterThan(0);
});

test.concurrent('a file that fails is run again as a whole, and what was wrong at first is named', async () => {
  const result = await resultOf(startRun(['unsteady'], { TRIED: join(folder, 'tried') }));
  expect(result).toMatchObject({ passed: 5, failed: 1, skipped: 1 });
  expect(result.failures).toEqual([
    'tools/testing/fixtures/mixed.fixture.mjs › does not hold: expected 1 to be 2 // Object.is equality',
  ]);
  expect(result.unsteady.toSorted()).toEqual([
    'tools/testing/fixtures/unsteady-setup.fixture.mjs: the set-up fails',
    'tools/testing/fixtures/unsteady.fixture.mjs › holds at the second try: expected false to be true // Object.is equality',
  ]);
  expect(result.files.map(({ name }) => name.replace(/.*\//, '')).toSorted()).toEqual([
    'mixed.fixture.mjs',
    'unsteady-setup.fixture.mjs',
    'unsteady.fixture.mjs',
  ]);
});

test.concurrent('what hangs is stopped and named, and what was tested before counts', async () => {
  const result = await resultOf(startRun(['hangs', '0.5']));
  expect(result).toMatchObject({ passed: 2, failed: 2 });
  const hung = result.failures.find((failure) => failure.includes('nothing ended for 0.5 minutes'));
  expect(hung).toContain('hangs.fixture.mjs');
});

test.concurrent('a run that ends leaves no process and no file behind', async () => {
  const file = join(folder, 'ended');
  const run = startRun(['leaves'], { LEFT_PIDS: file });
  const left = await untilLeft(file);
  expect(await resultOf(run)).toMatchObject({ passed: 1, failed: 0 });
  await untilSwept(left);
  expect(run.output).toMatch(/Left over, and ended: .*sleep/);
});

test.concurrent.each(['SIGTERM', 'SIGINT', 'SIGKILL'])('nor one that is stopped by %s', async (signal) => {
  const file = join(folder, signal);
  const run = startRun(['leaves'], { LEFT_PIDS: file, THEN_WAIT: '1' });
  const left = await untilLeft(file);
  expect(left.pids.every(isRunning)).toBe(true);
  run.child.kill(signal);
  await once(run.child, 'exit');
  await untilSwept(left);
});
