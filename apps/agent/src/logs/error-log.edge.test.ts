import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge } from '@breakwater/edge/process/edge-process';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from '../nginx/edge-control.ts';
import { edgeOptions, siteEnvelope, statusOf, temporaryFolder } from '../test-edge.ts';
import { ErrorLog } from './error-log.ts';

it('is renamed when it is long, of two files at most, and each line counts once', async () => {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  const edge = await startEdge({ ...options, edgeDir });
  onTestFinished(() => edge.stop(1));
  // Its origin is away, which is a line for each request.
  await new EdgeControl(edge.controlSocket).apply([siteEnvelope(1, 1)]);
  const path = join(edgeDir, 'logs/error.log');
  const rotateBytes = 10_000;
  const log = new ErrorLog({
    path,
    reopenLogs: () => edge.reopenLogs(),
    logger: pino({ level: 'silent' }),
    rotateBytes,
  });
  await log.lookAfter();
  let rotated = 0;
  let written = 0;
  for (let turn = 0; turn < 12; turn++) {
    const { ino } = await stat(path);
    for (let visit = 0; visit < 10; visit++) await statusOf(options.httpPorts[0]!, 'site1.example.com');
    written += 10;
    await log.lookAfter();
    if ((await stat(`${path}.1`).catch(() => undefined))?.ino !== ino) continue;
    rotated += 1;
    // A new one is there once nginx has let go of the other.
    await expect
      .poll(() =>
        stat(path).then(
          ({ ino: now }) => now !== ino,
          () => false,
        ),
      )
      .toBe(true);
  }
  await log.lookAfter();
  expect(rotated).toBeGreaterThan(1);
  const names = (await readdir(join(edgeDir, 'logs'))).filter((name) => name.startsWith('error'));
  expect(names.toSorted()).toEqual(['error.log', 'error.log.1']);
  for (const name of names)
    expect((await stat(join(edgeDir, 'logs', name))).size).toBeLessThan(3 * rotateBytes);
  expect(await readFile(`${path}.1`, 'utf8')).toContain('site1.example.com');
  // nginx tells of its reopening and of workers besides.
  expect(log.lines).toBeGreaterThanOrEqual(written);
  expect(log.lines).toBeLessThan(2 * written);
});
