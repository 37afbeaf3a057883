import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A program: which sources reach two ports of this machine, `node test-packets.ts SITE_PORT OTHER_PORT TARGET_V4 TARGET_V6
 * SOURCE… LAST`. What is sent on the loopback arrives in its order, so what is not there when the last source is was dropped.
 */
const [sitePort, otherPort, v4, v6, ...sources] = process.argv.slice(2) as [
  ...[string, string, string, string],
  ...string[],
];
const last = sources.at(-1)!;
const arrived = new Set<string>();
const isDone = Promise.withResolvers<void>();

function note(what: string, address: string) {
  arrived.add(`${what} ${address.replace('::ffff:', '')}`);
  if (['udp', 'tcp', 'other'].every((each) => arrived.has(`${each} ${last}`))) isDone.resolve();
}

for (const [port, what] of [
  [sitePort, 'tcp'],
  [otherPort, 'other'],
] as const)
  await once(
    createServer((socket) => note(what, socket.remoteAddress!)).listen(Number(port), '::'),
    'listening',
  );
const datagrams = createSocket('udp6', (_, { address }) => note('udp', address));
await once(datagrams.bind(Number(sitePort), '::'), 'listening');

for (const source of sources) {
  const isV6 = source.includes(':');
  const target = isV6 ? v6 : v4;
  const sender = createSocket(isV6 ? 'udp6' : 'udp4');
  await once(sender.bind(0, source), 'listening');
  await new Promise((resolve) => sender.send('x', Number(sitePort), target, resolve));
  for (const port of [sitePort, otherPort])
    connect({ host: target, port: Number(port), localAddress: source }).on('error', () => undefined);
}
await isDone.promise;
process.stdout.write(JSON.stringify([...arrived]));
process.exit(0);
