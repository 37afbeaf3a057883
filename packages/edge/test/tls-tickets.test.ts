import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge } from './support.ts';

/** A visitor's session, begun at one node and gone on with at another, or at the same after a reload. */

const newKey = () => randomBytes(80).toString('base64');
const host = 'tickets.test';
let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function startNode(keys: string[]): Promise<TestEdge> {
  const origin = await startOrigin((_, answer) => answer.end('here'));
  const edge = await TestEdge.start({ ticketKeys: async () => keys });
  ends.push(() => edge.close(), origin.close);
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id: 1, domains: [host], origins }));
  return edge;
}

function handshake(edge: TestEdge, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((settle, refuse) => {
    const port = edge.httpsPort;
    const socket = connect(
      { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false, ...options },
      () => settle(socket),
    );
    socket.on('error', refuse);
  });
}

async function sessionOf(edge: TestEdge, options: ConnectionOptions): Promise<Buffer> {
  const socket = await handshake(edge, options);
  const given = new Promise<Buffer>((settle) => socket.once('session', settle));
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const session = socket.getProtocol() === 'TLSv1.2' ? socket.getSession()! : await given;
  socket.destroy();
  return session;
}

async function isResumed(edge: TestEdge, session: Buffer, options: ConnectionOptions): Promise<boolean> {
  const socket = await handshake(edge, { ...options, session });
  const isReused = socket.isSessionReused();
  socket.destroy();
  return isReused;
}

describe('a handshake of TLS 1.3', () => {
  it('is given one ticket, whether it begins a session or goes on with one', async () => {
    const edge = await startNode([newKey()]);
    let session: Buffer | undefined;
    for (const isLater of [false, true]) {
      const socket = await handshake(edge, session === undefined ? {} : { session });
      expect(socket.isSessionReused()).toBe(isLater);
      const given: Buffer[] = [];
      socket.on('session', (ticket) => given.push(ticket));
      // Tickets come before the answer.
      const answered = once(socket, 'data');
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await answered;
      expect(given).toHaveLength(1);
      [session] = given;
      socket.destroy();
    }
  });
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('tickets of %s', (version) => {
  const options = { minVersion: version, maxVersion: version };

  it('are good at every node with the same keys, and at no other', async () => {
    const key = newKey();
    const [one, other, stranger] = await Promise.all([
      startNode([key]),
      startNode([key]),
      startNode([newKey()]),
    ]);
    const session = await sessionOf(one, options);
    expect(await isResumed(one, session, options)).toBe(true);
    expect(await isResumed(other, session, options)).toBe(true);
    expect(await isResumed(stranger, session, options)).toBe(false);
  });

  it('outlast a reload and a change of keys, for as long as their own is known', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    const edge = await startNode([first]);
    const session = await sessionOf(edge, options);
    await edge.edge.useTicketKeys([second, first, third]);
    expect(await isResumed(edge, session, options)).toBe(true);
    const later = await sessionOf(edge, options);
    await edge.edge.useTicketKeys([third, second]);
    expect(await isResumed(edge, later, options)).toBe(true);
    expect(await isResumed(edge, session, options)).toBe(false);
  });
});
