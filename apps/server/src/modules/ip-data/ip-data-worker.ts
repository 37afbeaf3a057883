import { parentPort, workerData } from 'node:worker_threads';
import { buildIpData } from './ip-data-build.ts';

/** Builds the table beside the server: it takes seconds, in which requests are answered. */
parentPort?.postMessage(await buildIpData(workerData as string));
