import { parentPort, workerData } from 'node:worker_threads';
import { packLines } from './address-list-lines.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort?.postMessage(packLines(workerData as string));
