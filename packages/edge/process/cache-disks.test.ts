import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, cachePaths, diskOfKey, type CacheDisk } from '../nginx/disks.ts';
import { cacheDisksOf, cacheKeysBytes } from './cache-disks.ts';

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

describe('memory for keys', () => {
  it.each([
    ['a small node', gigabyte, 64 * megabyte],
    ['one where a 64th is as much', 4 * gigabyte, 64 * megabyte],
    ['one with 8 GB: for a million answers', 8 * gigabyte, 1_048_576 * 128],
    ['a large one', 100 * gigabyte, 1600 * megabyte],
    ['one that needs no more', 1024 * gigabyte, 2048 * megabyte],
  ])('is what suits %s', (_, memory, bytes) => {
    expect(cacheKeysBytes(memory)).toBe(bytes);
  });

  it('is by itself of this machine, or of what a process may take of it', () => {
    expect(cacheKeysBytes()).toBe(
      cacheKeysBytes(Math.min(totalmem(), process.constrainedMemory() || Infinity)),
    );
  });

  it('is divided as answers are', () => {
    const disk = (sizeMax: string): CacheDisk => ({ folder: `/${sizeMax}`, sizeMax, freeMin: '1m' });
    const kilobytes = (disks: CacheDisk[], bytes: number) =>
      [...cachePaths(disks, bytes).matchAll(/keys_zone=\w+:(\d+)k/g)].map(([, size]) => Number(size));
    const disks = [disk('100g'), disk('300g'), disk('614400m')];
    expect(kilobytes(disks, 1000 * megabyte)).toEqual([100, 300, 600].map((size) => size * 1024));
    expect(diskOfKey(disks)).toContain('{ 10.00% edge; 30.00% edge_1; * edge_2; }');
    expect(kilobytes([disk('5g')], 64 * megabyte)).toEqual([64 * 1024]);
    // As little as nginx takes of it, on a disk next to a far larger one.
    expect(kilobytes([disk('1m'), disk('1000g')], 64 * megabyte)).toEqual([1024, 64 * 1024]);
  });
});

describe('disks', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'breakwater-disks-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function megabytesAt(path: string): Promise<number> {
    const { blocks, bsize } = await statfs(path);
    return (blocks * bsize) / megabyte;
  }

  /** Memory, where temporary files do not lie there themselves; else what no machine has on a disk. */
  async function onAnotherDisk(path: string): Promise<string> {
    const { dev } = await stat(path);
    for (const other of ['/dev/shm', '/run', '/dev']) if ((await stat(other)).dev !== dev) return other;
    return '/proc';
  }

  it('are taken to their half where no size is given, and to that where one is; a twentieth stays free', async () => {
    const [whole, wanted] = [join(folder, 'new/whole'), join(folder, 'wanted')];
    const size = await megabytesAt(folder);
    const freeMin = `${Math.floor(size / 20)}m`;
    expect(await cacheDisksOf([{ folder: whole }, { folder: wanted, sizeMax: '7g' }])).toEqual([
      { folder: whole, sizeMax: `${Math.floor(size / 2)}m`, freeMin },
      { folder: wanted, sizeMax: '7g', freeMin },
    ]);
    // It was made.
    expect(await megabytesAt(whole)).toBe(size);
  });

  it('that are one in truth have its half together', async () => {
    const folders = ['a', 'b', 'c'].map((name) => ({ folder: join(folder, name) }));
    const another = await onAnotherDisk(folder);
    const disks = await cacheDisksOf([...folders, { folder: another }]);
    const sizes = disks.map(({ sizeMax }) => bytesOf(sizeMax) / megabyte);
    expect(sizes.slice(0, 3)).toEqual(Array(3).fill(Math.floor((await megabytesAt(folder)) / 6)));
    expect(sizes[3]).toBe(Math.floor((await megabytesAt(another)) / 2));
  });
});
