import type { IpDataDocument } from '@breakwater/contract';
import { runWorker } from '../../worker-run.ts';
import type { IpDataFiles } from './ip-data-build.ts';
import type { UnpackedIpFile } from './ip-data-inspect.ts';
import type { IpWork } from './ip-data-worker.ts';

/** Work on files that takes seconds, done beside the server and within bounds of time and memory: a file is a stranger's. */

const limits = { seconds: 120, heapMegabytes: 1536 };

export const buildTable = (files: IpDataFiles): Promise<IpDataDocument> => run({ build: files });

/** What a file holds, unpacked where it came packed; fails where it is none that is known. */
export const inspectFile = (bytes: Uint8Array): Promise<UnpackedIpFile> => run({ inspect: bytes });

const run = <Result>(work: IpWork): Promise<Result> =>
  runWorker(new URL('./ip-data-worker.ts', import.meta.url), work, limits);
