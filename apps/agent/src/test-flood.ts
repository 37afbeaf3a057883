import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A program: sends so many packets of UDP and asks for so many connections at an address, `node test-flood.ts TARGET COUNT PORT`. */
const [target = '', count = '0', port = '0'] = process.argv.slice(2);
const each = Array.from({ length: Number(count) });

/** From a port whose servers are abused as reflectors, and from another. */
for (const from of [11_211, 40_000]) {
  const socket = createSocket(target.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', () => undefined);
  await once(socket.bind(from), 'listening');
  await Promise.all(each.map(() => new Promise((resolve) => socket.send('x', 9, target, resolve))));
  socket.close();
}
await Promise.all(
  each.map(async () => {
    const socket = connect(Number(port), target);
    await once(socket, 'connect').catch(() => undefined);
    socket.destroy();
  }),
);
