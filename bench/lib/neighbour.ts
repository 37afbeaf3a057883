import { once } from 'node:events';
import { createServer, request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeSite, startOrigin, TestEdge } from '../../packages/edge/test/support.ts';

const asked = 400;
const visitors = 3000;

/** The p99 (milliseconds) of a site while a neighbour's origin hangs under a crowd, and before. */
export async function benchNeighbour(): Promise<{ before: number; during: number }> {
  const edge = await TestEdge.start({ workerProcesses: 1 });
  const good = await startOrigin((_, answer) => answer.end('good'));
  const hung = createServer((incoming) => incoming.resume());
  await once(hung.listen({ port: 0, host: '127.0.0.1', backlog: 5000 }), 'listening');
  const at = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  const crowd: ClientRequest[] = [];
  try {
    await edge.applySites(
      makeSite({ id: 1, domains: ['good.test'], origins: at(good.port) }),
      makeSite({ id: 2, domains: ['hung.test'], origins: at((hung.address() as AddressInfo).port) }),
    );
    const before = await p99Of(edge);
    for (let index = 0; index < visitors; index++) {
      const call = request({
        host: '127.0.0.1',
        port: edge.httpPort,
        path: `/${index}`,
        headers: { host: 'hung.test' },
        agent: false,
      });
      call.on('response', (answer) => answer.resume()).on('error', () => {});
      crowd.push(call.end());
      await once(call, 'finish');
    }
    return { before, during: await p99Of(edge) };
  } finally {
    for (const call of crowd) call.destroy();
    hung.closeAllConnections();
    hung.close();
    await edge.close();
    await good.close();
  }
}

async function p99Of(edge: TestEdge): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < asked; count++) {
    const began = performance.now();
    const { status } = await edge.get('good.test', `/${Math.random()}`);
    if (status !== 200) throw new Error(`the neighbour was answered ${status}`);
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(asked * 0.99)]!;
}
