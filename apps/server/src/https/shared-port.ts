import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { PlatformHttps } from './platform-https.ts';

/** HTTP and HTTPS on one port, told apart by the first byte: a TLS record that begins a handshake has 22 there (RFC 8446 §5.1). */

const handshake = 22;
/** For a first byte, and for a handshake. */
const patienceMilliseconds = 30_000;

const carriers = new WeakMap<Socket, Socket>();

/** Below a connection of TLS the one that carries it. */
export const carrierOf = (socket: Socket): Socket => carriers.get(socket) ?? socket;

/** To be called before the server listens. */
export function sharePort(server: Server, https: Pick<PlatformHttps, 'context'>): void {
  const [accept] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  server.removeListener('connection', accept);
  server.on('connection', (socket: Socket) => {
    if (socket instanceof TLSSocket || https.context === undefined) accept.call(server, socket);
    else
      awaitFirstByte(socket, (first) => (first === handshake ? secure(socket) : accept.call(server, socket)));
  });
  const secure = (carrier: Socket) => {
    const secureContext = https.context;
    if (secureContext === undefined) return void carrier.destroy();
    const socket = new TLSSocket(carrier, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
    carriers.set(socket, carrier);
    const late = setTimeout(() => carrier.destroy(), patienceMilliseconds);
    // Whoever speaks no TLS after all, or does not trust us, is none of our errors.
    const forget = () => socket.destroy();
    socket.once('close', () => clearTimeout(late));
    socket.once('error', forget);
    socket.once('secure', () => {
      clearTimeout(late);
      socket.removeListener('error', forget);
      server.emit('connection', socket);
    });
  };
}

/** The byte stays to be read. */
function awaitFirstByte(socket: Socket, done: (first: number) => void): void {
  const late = setTimeout(() => socket.destroy(), patienceMilliseconds);
  const forget = () => socket.destroy();
  socket.once('error', forget);
  socket.once('close', () => clearTimeout(late));
  socket.once('readable', () => {
    clearTimeout(late);
    socket.removeListener('error', forget);
    const first = socket.read(1) as Buffer | null;
    if (first === null) return void socket.destroy();
    socket.unshift(first);
    done(first[0]!);
  });
}
