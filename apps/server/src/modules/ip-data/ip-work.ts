import type { IpDataDocument } from '@breakwater/contract';
import { Worker } from 'node:worker_threads';
import type { IpDataFiles } from './ip-data-build.ts';
import type { UnpackedIpFile } from './ip-data-inspect.ts';
import type { IpWork } from './ip-data-worker.ts';

/** Work on files that takes seconds, done beside the server and within bounds of time and memory: a file is a stranger's. */

const secondsMax = 120;
const heapMegabytesMax = 1536;

export const buildTable = (files: IpDataFiles): Promise<IpDataDocument> => run({ build: files });

/** What a file holds, unpacked where it came packed; fails where it is none that is known. */
export const inspectFile = (bytes: Uint8Array): Promise<UnpackedIpFile> => run({ inspect: bytes });

function run<Result>(workerData: IpWork): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./ip-data-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    const timer = setTimeout(() => {
      reject(new Error(`The file was not read within ${secondsMax} seconds.`));
      void worker.terminate();
    }, secondsMax * 1000);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The file could not be read (${code}).`));
    });
  });
}
