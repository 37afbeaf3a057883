import { parentPort, workerData } from 'node:worker_threads';
import { findViolations } from './find-violations.ts';

const { pages, categories } = workerData as { pages: never; categories: never };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort?.postMessage(findViolations(pages, categories));
