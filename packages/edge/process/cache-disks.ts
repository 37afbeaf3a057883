import { mkdir, stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { CacheDisk } from '../nginx/disks.ts';

const megabyte = 2 ** 20;

export interface WantedDisk {
  folder: string;
  /** nginx's spelling, `400g`; half of the disk when absent, of all such folders on it together. */
  sizeMax?: string;
}

/** Whatever fills a disk, a twentieth of it is left free. Folders without a size share the half of a disk that they are on. */
export async function cacheDisksOf(wanted: readonly WantedDisk[]): Promise<CacheDisk[]> {
  const found = await Promise.all(
    wanted.map(async ({ folder, sizeMax }) => {
      await mkdir(folder, { recursive: true });
      const [{ blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
      return { folder, sizeMax, dev, megabytes: (blocks * bsize) / megabyte };
    }),
  );
  return found.map(({ folder, sizeMax, dev, megabytes }) => {
    const sharers = found.filter((each) => each.sizeMax === undefined && each.dev === dev).length;
    return {
      folder,
      sizeMax: sizeMax ?? `${Math.floor(megabytes / 2 / sharers)}m`,
      freeMin: `${Math.floor(megabytes / 20)}m`,
    };
  });
}

const memoryOfProcess = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** A 64th of the memory that there is for this process: with 8 GB for a million answers. */
export function cacheKeysBytes(memory = memoryOfProcess()): number {
  return Math.min(2048 * megabyte, Math.max(64 * megabyte, Math.floor(memory / 64)));
}
