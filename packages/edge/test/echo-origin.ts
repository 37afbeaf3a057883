import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestEdge } from './support.ts';

/** An origin that changes to WebSocket and gives back what it hears. */
export async function startEcho() {
  const seen: string[] = [];
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    seen.push(String(headers['cdn-loop']).replaceAll('breakwater-', ''));
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { ways: seen, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** What comes back once the protocol has changed. */
export async function echoed(edge: TestEdge, host: string, said: string): Promise<string> {
  const call = request({
    host: '127.0.0.1',
    port: edge.httpPort,
    headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
  });
  call.end();
  const [, socket] = (await once(call, 'upgrade')) as [IncomingMessage, Socket];
  socket.write(said);
  const [heard] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return heard.toString();
}
