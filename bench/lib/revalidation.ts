import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSite, TestEdge } from '../../packages/edge/test/support.ts';

const content = randomBytes(1_048_576);

/** Bytes that an origin sends, header and all, for an object of a megabyte: the first time, and when it is asked whether it is still good. */
export async function benchRevalidation(): Promise<{ fetched: number; revalidated: number }> {
  const edge = await TestEdge.start({ workerProcesses: 1 });
  const sockets = new Set<Socket>();
  let count = 0;
  const answers = () => count;
  const origin = createServer(({ headers }, response) => {
    count += 1;
    response.setHeader('Cache-Control', 'max-age=1').setHeader('ETag', '"v1"');
    if (headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else response.setHeader('Content-Length', content.length).end(content);
  });
  origin.on('connection', (socket) => sockets.add(socket));
  const sent = () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
  try {
    await once(origin.listen(0, '127.0.0.1'), 'listening');
    const origins = [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }];
    await edge.applySites(makeSite({ id: 1, domains: ['again.test'], origins }));
    const ask = async () => {
      const { status, body } = await edge.get('again.test', '/object');
      if (status !== 200 || body !== content.toString()) throw new Error(`the object was answered ${status}`);
    };
    await ask();
    const fetched = sent();
    do {
      await delay(100);
      await ask();
    } while (answers() === 1);
    return { fetched, revalidated: sent() - fetched };
  } finally {
    await edge.close();
    origin.closeAllConnections();
    origin.close();
  }
}
