import { parentPort, workerData } from 'node:worker_threads';
import { buildIpData } from './ip-data-build.ts';

/** Builds the table beside the server: it takes seconds, in which requests are answered. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort?.postMessage(await buildIpData(workerData as string));
