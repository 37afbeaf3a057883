import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { makeSite, startOrigin, TestEdge } from '../../packages/edge/test/support.ts';
import type { Crowd } from './crowd-worker.ts';
import { median } from './result.ts';

const asked = 400;
/** Their median counts: one pause of the machine decides about the p99 of so few requests. */
const batches = 5;
const visitors = 3000;

/** The p99 (milliseconds, the median of some batches) of a site while a neighbour's origin hangs under a crowd, and before. */
export async function benchNeighbour(): Promise<{ before: number; during: number }> {
  const edge = await TestEdge.start({ workerProcesses: 1 });
  const good = await startOrigin((_, answer) => answer.end('good'));
  const hung = createServer((incoming) => incoming.resume());
  await once(hung.listen({ port: 0, host: '127.0.0.1', backlog: 5000 }), 'listening');
  const at = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  let crowd: Worker | undefined;
  try {
    await edge.applySites(
      makeSite({ id: 1, domains: ['good.test'], origins: at(good.port) }),
      makeSite({ id: 2, domains: ['hung.test'], origins: at((hung.address() as AddressInfo).port) }),
    );
    const before = await p99Of(edge);
    // In a thread of its own: what it has to do is no time of the node's.
    const workerData: Crowd = { port: edge.httpPort, host: 'hung.test', visitors };
    crowd = new Worker(new URL('crowd-worker.ts', import.meta.url), { workerData });
    await once(crowd, 'message');
    return { before, during: await p99Of(edge) };
  } finally {
    await crowd?.terminate();
    hung.closeAllConnections();
    hung.close();
    await edge.close();
    await good.close();
  }
}

async function p99Of(edge: TestEdge): Promise<number> {
  const each: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const times: number[] = [];
    for (let count = 0; count < asked; count++) {
      const began = performance.now();
      const { status } = await edge.get('good.test', `/${Math.random()}`);
      if (status !== 200) throw new Error(`the neighbour was answered ${status}`);
      times.push(performance.now() - began);
    }
    each.push(times.toSorted((one, other) => one - other)[Math.floor(asked * 0.99)]!);
  }
  return median(each);
}
