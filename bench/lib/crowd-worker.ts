import { once } from 'node:events';
import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread: visitors who ask for one site, each for something else, and wait. It says when all have asked. */
export interface Crowd {
  port: number;
  host: string;
  visitors: number;
}

const { port, host, visitors } = workerData as Crowd;
for (let index = 0; index < visitors; index++) {
  const call = request({ host: '127.0.0.1', port, path: `/${index}`, headers: { host }, agent: false });
  call.on('response', (answer) => answer.resume()).on('error', () => {});
  call.end();
  await once(call, 'finish');
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort!.postMessage('asked');
