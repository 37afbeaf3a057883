import { parentPort, workerData } from 'node:worker_threads';
import { buildIpData, type IpDataFiles } from './ip-data-build.ts';
import { inspectPacked } from './ip-data-inspect.ts';

/** Reads files beside the server: it takes seconds, in which requests are answered. */
export type IpWork = { build: IpDataFiles } | { inspect: Uint8Array };

const work = workerData as IpWork;
const result = 'build' in work ? await buildIpData(work.build) : inspectPacked(Buffer.from(work.inspect));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort?.postMessage(result);
