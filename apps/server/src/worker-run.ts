import { Worker } from 'node:worker_threads';

export interface WorkerLimits {
  seconds: number;
  heapMegabytes: number;
}

/**
 * What a file answers that is run in a thread of its own with this as its `workerData`: work that takes so long that the server
 * would answer nobody meanwhile. Fails where it takes more than it may, of time or of memory.
 */
export function runWorker<Result>(
  file: URL,
  workerData: unknown,
  { seconds, heapMegabytes }: WorkerLimits,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const timer = setTimeout(() => {
      reject(new Error(`The file was not read within ${seconds} seconds.`));
      void worker.terminate();
    }, seconds * 1000);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The file could not be read (${code}).`));
    });
  });
}
