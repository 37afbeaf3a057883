import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import { carrierOf } from './https/shared-port.ts';

const graceSeconds = 10;

/**
 * How a listener ends. Requests in work finish, for ten seconds at the most. Connections without one are closed at once,
 * also those that fall idle meanwhile, and those on which no request came yet, which Node counts as busy.
 */
export function closerOf(app: FastifyInstance): () => Promise<void> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => {
    unused.delete(socket);
    unused.delete(carrierOf(socket));
  });
  const closeQuiet = () => {
    app.server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  };
  return async () => {
    const sweep = setInterval(closeQuiet, 50);
    const cut = setTimeout(() => app.server.closeAllConnections(), graceSeconds * 1000);
    await app.close();
    clearInterval(sweep);
    clearTimeout(cut);
  };
}
