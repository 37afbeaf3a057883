import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import { expect, it, onTestFinished } from 'vitest';
import { edgeOptions, temporaryFolder } from '../test-edge.ts';
import { EdgeControl } from './edge-control.ts';
import { PassKeyKeeper } from './pass-keys.ts';

it('has nginx sign with the keys it was given last, after a restart of both without the control plane', async () => {
  const edgeDir = await temporaryFolder();
  const path = join(edgeDir, 'pass-keys.json');
  const control = new EdgeControl(join(edgeDir, 'run/control.sock'));
  let edge: EdgeProcess | undefined;
  onTestFinished(async () => {
    control.close();
    await edge?.stop(0);
  });
  const options = await edgeOptions();
  const told: (readonly string[])[] = [];
  const start = async () => {
    edge = await startEdge({ ...options, edgeDir });
    const keeper = new PassKeyKeeper(path, control);
    await keeper.tellAgain();
    return keeper;
  };
  const put = control.putPassKeys.bind(control);
  control.putPassKeys = (keys) => {
    told.push(keys);
    return put(keys);
  };
  const keeper = await start();
  expect(told).toEqual([]);
  await keeper.keep(['aa', 'bb']);
  await keeper.keep(['aa', 'bb']);
  await keeper.keep(undefined);
  expect(told).toEqual([['aa', 'bb']]);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(['aa', 'bb']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await edge!.stop(2);
  await start();
  expect(told).toEqual([
    ['aa', 'bb'],
    ['aa', 'bb'],
  ]);
});
