import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestTrace } from '@breakwater/contract/explain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveRanged } from './ranged-content.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** A node with several disks: here, folders. */

const megabyte = 1_048_576;
const content = Buffer.alloc(2 * megabyte, 'part');
let folders: string[] = [];
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'breakwater-disk-'))));
  const [one, two] = folders as [string, string];
  edge = await TestEdge.start({
    cacheDisks: [
      { folder: one, sizeMax: '100m' },
      { folder: two, sizeMax: '300m' },
    ],
  });
  origin = await startOrigin((incoming, answer) => {
    answer.setHeader('Cache-Control', 'max-age=600');
    if (incoming.headers.range === undefined) answer.end(`answer to ${incoming.url}`);
    else giveRanged(incoming, answer.setHeader('ETag', '"v1"'), content);
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(
    makeSite({ id: 1, domains: ['disks.test'], origins }),
    makeSite({
      id: 2,
      domains: ['parts.test'],
      origins,
      rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: megabyte }],
    }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

describe('several disks', () => {
  it('share what is kept in the measure of their sizes, and each answer is found again', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    for (const path of paths) expect((await edge.get('disks.test', path)).headers['x-cache']).toBe('MISS');
    for (const path of paths) {
      const { headers, body } = await edge.get('disks.test', path);
      expect([headers['x-cache'], body]).toEqual(['HIT', `answer to ${path}`]);
    }
    const [one, two] = (await Promise.all(folders.map(filesIn))) as [number, number];
    expect(one + two).toBe(100);
    expect(one).toBeGreaterThan(5);
    expect(two).toBeGreaterThan(one);
  });

  it('have all parts of an answer together, for many at once too', async () => {
    const before = await Promise.all(folders.map(filesIn));
    const many = await Promise.all(Array.from({ length: 5 }, () => edge.get('parts.test', '/film')));
    for (const { body } of many) expect(body).toBe(content.toString());
    const after = await Promise.all(folders.map(filesIn));
    expect(after.map((files, index) => files - before[index]!).toSorted((one, other) => one - other)).toEqual(
      [0, 2],
    );
  });

  it('are all looked at by who explains a request', async () => {
    const stored = async (path: string) => {
      const request = {
        method: 'GET',
        scheme: 'http',
        port: 80,
        host: 'disks.test',
        target: path,
        headers: [],
        address: '127.0.0.1',
        time: Math.floor(Date.now() / 1000),
      };
      const { steps } = await edge.control<RequestTrace>('POST', '/explain', { site_id: 1, request });
      const { facts } = steps.find(({ step }) => step === 'cache')!;
      return facts.find(({ name }) => name === 'stored')?.value;
    };
    expect(await stored('/never')).toBe('none');
    for (const path of ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h']) {
      await edge.get('disks.test', path);
      expect(await stored(path)).toBe('fresh');
    }
  });
});
