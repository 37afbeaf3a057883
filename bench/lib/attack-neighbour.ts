import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A neighbour's origin and its visitor, in a thread of their own: what holds up the process that measures, as the lines of a flood do
 * on their way into the log, holds up neither.
 */
export interface NeighbourData {
  edgePort: number;
}
/** What it is told: to measure for so many seconds. */
export interface Measure {
  host: string;
  seconds: number;
}
/** What it tells: the port of its origin, and then milliseconds. */
export type NeighbourTold = { port: number } | { p99: number } | { error: string };

const port = parentPort!;
const { edgePort } = workerData as NeighbourData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const tell = (told: NeighbourTold) => port.postMessage(told, []);

const origin = createServer((_, response) => response.setHeader('Cache-Control', 'no-store').end('good'));
origin.listen(0, '127.0.0.1', () => tell({ port: (origin.address() as AddressInfo).port }));

port.on('message', ({ host, seconds }: Measure) => {
  p99(host, seconds).then(
    (milliseconds) => tell({ p99: milliseconds }),
    (error: unknown) => tell({ error: String(error) }),
  );
});

/** Of fifty requests a second. */
async function p99(host: string, seconds: number): Promise<number> {
  const times: number[] = [];
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(20))
    times.push(await ask(host));
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}

function ask(host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const began = performance.now();
  request({ host: '127.0.0.1', port: edgePort, path: '/', headers: { host }, agent })
    .on('response', (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`the neighbour was answered ${answer.statusCode}`));
      });
    })
    .on('error', reject)
    .end();
  return promise;
}
