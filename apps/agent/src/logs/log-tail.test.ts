import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LogTail } from './log-tail.ts';
import { temporaryFolder } from '../test-edge.ts';

it('reads what is appended, through renaming, and no half lines', async () => {
  const path = join(await temporaryFolder(), 'access.log');
  await writeFile(path, 'before\n');
  const tail = new LogTail(path);
  onTestFinished(() => tail.close());
  const read = async () => (await tail.read()).lines;
  expect(await read()).toEqual([]);
  await appendFile(path, 'one\ntw');
  expect(await read()).toEqual(['one']);
  await appendFile(path, 'o\n');
  await rename(path, `${path}.1`);
  await appendFile(`${path}.1`, 'late\n');
  await writeFile(path, 'new\n');
  expect(await read()).toEqual(['two', 'late', 'new']);
  await appendFile(`${path}.1`, 'later\n');
  await appendFile(path, 'newer\n');
  expect(await read()).toEqual(['later', 'newer']);
});

it('says when there was more than it takes', async () => {
  const path = join(await temporaryFolder(), 'access.log');
  await writeFile(path, '');
  const tail = new LogTail(path);
  onTestFinished(() => tail.close());
  await tail.read();
  await appendFile(path, `${'x'.repeat(17 * 1024 * 1024)}\nlast\n`);
  const { lines, passedOver } = await tail.read();
  expect(passedOver).toBe(true);
  expect(lines.at(-1)).toBe('last');
  expect(await tail.read()).toEqual({ lines: [], passedOver: false });
});
