/**
 * How long `npm test` takes on this machine, in minutes: all of it, and its browser stage. What the tests need is installed and
 * built before the clock starts. `RESULT` has no ratios: there is nothing to set it beside.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printResult } from './lib/result.ts';

interface Times {
  minutes: number;
  stages: { name: string; seconds: number }[];
}

const folder = await mkdtemp(join(tmpdir(), 'bw-suite-'));
try {
  const file = join(folder, 'times.json');
  const child = spawn('npm', ['test', '--', '--times', file], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  const { minutes, stages } = JSON.parse(await readFile(file, 'utf8')) as Times;
  const browser = stages.find((stage) => stage.name === 'browser');
  if (browser === undefined || code !== 0) throw new Error('`npm test` did not pass; its time says nothing');
  printResult('suite', {}, { minutes_total: minutes, minutes_browser: browser.seconds / 60 });
} finally {
  await rm(folder, { recursive: true, force: true });
}
