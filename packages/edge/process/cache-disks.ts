import { mkdir, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { CacheDisk } from '../nginx/disks.ts';

export interface WantedDisk {
  folder: string;
  /** nginx's spelling, `400g`; half of the disk when absent. */
  sizeMax?: string;
}

/** Whatever fills a disk, a twentieth of it is left free. */
export function cacheDisksOf(wanted: readonly WantedDisk[]): Promise<CacheDisk[]> {
  return Promise.all(
    wanted.map(async ({ folder, sizeMax }) => {
      await mkdir(folder, { recursive: true });
      const { blocks, bsize } = await statfs(folder);
      const megabytes = (blocks * bsize) / 2 ** 20;
      return {
        folder,
        sizeMax: sizeMax ?? `${Math.floor(megabytes / 2)}m`,
        freeMin: `${Math.floor(megabytes / 20)}m`,
      };
    }),
  );
}

const megabyte = 2 ** 20;

/** A 64th of the memory that there is for this process: with 8 GB for a million answers. */
export function cacheKeysBytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(2048 * megabyte, Math.max(64 * megabyte, Math.floor(memory / 64)));
}
