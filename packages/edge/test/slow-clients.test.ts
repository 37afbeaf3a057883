import { connect as connectTcp, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** Visitors who hold connections by being slow, or send what costs more than they pay, while others are served. */

const seconds = 2;
/** A busy machine is late. */
const graceMs = 8000;
const deadlineMs = seconds * 1000 + graceMs;
let edge: TestEdge;
let origin: TestOrigin;
/** Streams that are open at the origin at once. */
let open = 0;
const stopping = new AbortController();
let normal: Promise<number[]>;

beforeAll(async () => {
  const visitorSeconds = { header: seconds, content: seconds, sending: seconds, connection: 120 };
  edge = await TestEdge.start({ visitorSeconds });
  origin = await startOrigin((request, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    response.setHeader('Cache-Control', request.url!.startsWith('/large') ? 'max-age=600' : 'no-store');
    if (request.url!.startsWith('/large')) response.end(Buffer.alloc(30_000_000, 'x'));
    else request.resume().on('end', () => response.end('good'));
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id: 1, domains: ['slow.test'], origins }));
  await edge.get('slow.test', '/large');
  normal = serveNormally();
  // It is looked at by the last test alone.
  normal.catch(() => undefined);
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** How long this process keeps its own visitors waiting: on a busy machine they are slow themselves, and ended by right. */
const stalls = monitorEventLoopDelay();
const stallNanoseconds = (seconds * 1e9) / 4;

async function serveNormally(): Promise<number[]> {
  const statuses: number[] = [];
  stalls.enable();
  while (!stopping.signal.aborted) {
    for (const path of ['/large', `/${statuses.length}`]) {
      const options = statuses.length % 4 === 0 ? { servername: 'slow.test' } : {};
      stalls.reset();
      try {
        statuses.push((await edge.get('slow.test', path, options)).status);
      } catch (error) {
        if (stalls.max < stallNanoseconds) throw error;
      }
    }
    await delay(20);
  }
  return statuses;
}

/** Milliseconds until the other side ends the connection, and what it said before. */
function ended(socket: Socket): Promise<{ after: number; text: string }> {
  const began = performance.now();
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  socket.on('error', () => undefined);
  return new Promise((settle) =>
    socket.on('close', () => settle({ after: performance.now() - began, text })),
  );
}

/** Writes a piece now and then, for as long as it is taken. */
async function trickle(socket: Socket, piece: string): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece);
    await delay(100);
  }
}

const plain = () => connectTcp(edge.httpPort, '127.0.0.1');

it('a header that comes byte by byte ends at its deadline, of a hundred at once', async () => {
  const sockets = Array.from({ length: 100 }, plain);
  const ends = sockets.map(ended);
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nHost: slow.test\r\nX-A: ');
    void trickle(socket, 'a');
  }
  for (const { after } of await Promise.all(ends)) expect(after).toBeLessThan(deadlineMs);
});

it('a connection that says nothing, and a handshake that stops, end', async () => {
  const silent = plain();
  const half = connectTcp(edge.httpsPort, '127.0.0.1', () => half.write(Buffer.from([22, 3, 1, 2, 0, 1])));
  for (const { after } of await Promise.all([ended(silent), ended(half)]))
    expect(after).toBeLessThan(deadlineMs);
});

it('content that stops coming ends, at the origin too', async () => {
  const socket = plain();
  const end = ended(socket);
  socket.write('POST /upload HTTP/1.1\r\nHost: slow.test\r\nContent-Length: 100\r\n\r\nabc');
  expect((await end).after).toBeLessThan(deadlineMs);
});

it('an answer that nobody takes ends', async () => {
  const socket = plain();
  const closed = new Promise<void>((settle) =>
    socket.on('error', () => undefined).on('close', () => settle()),
  );
  socket.pause();
  const path = '/large?unread';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: slow.test\r\n\r\n`);
  const [line] = await edge.logLines(1, ({ request_uri: uri }) => uri === path);
  expect(line!.bytes_sent).toBeLessThan(30_000_000);
  expect(line!.request_time).toBeLessThan(deadlineMs / 1000);
  socket.resume();
  await closed;
});

it('an answer that is taken byte by byte ends', async () => {
  const path = '/large?little';
  // Read when asked for: a byte now and then makes no room that the system would tell nginx of.
  const socket = plain().on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: slow.test\r\n\r\n`);
  const taking = setInterval(() => socket.read(100), 100);
  const [line] = await edge.logLines(1, ({ request_uri: uri }) => uri === path);
  clearInterval(taking);
  socket.destroy();
  expect(line!.bytes_sent).toBeLessThan(30_000_000);
  expect(line!.request_time).toBeLessThan(deadlineMs / 1000);
});

/** Of HTTP/2, written by hand. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const types = { headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, continuation: 9 };
const endStream = 1;
const endHeaders = 4;

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** GET over HTTPS: names from HPACK's own table, values as they are. */
function fieldsOf(path: string): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat([Buffer.from([0x82, 0x87, 0x04]), text(path), Buffer.from([0x01]), text('slow.test')]);
}

/** Begins HTTP/2 with these settings. */
async function begin(settings: Buffer = Buffer.alloc(0)): Promise<Socket> {
  const socket = connectTls({
    port: edge.httpsPort,
    servername: 'slow.test',
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  await new Promise((settle, refuse) => socket.once('secureConnect', settle).once('error', refuse));
  socket.write(Buffer.concat([preface, frame(types.settings, 0, 0, settings)]));
  return socket;
}

/** Writes until the other side ends the connection; gives how many bytes it took to. */
async function flood(socket: Socket, piece: Buffer, bytesMax: number): Promise<number> {
  const end = ended(socket);
  let bytes = 0;
  while (!socket.destroyed && bytes < bytesMax) {
    bytes += piece.length;
    const isTaken = socket.write(piece);
    await Promise.race([end, isTaken ? delay(0) : new Promise((settle) => socket.once('drain', settle))]);
  }
  // What it has already sent may be to be read first.
  await Promise.race([end, delay(socket.destroyed ? 0 : deadlineMs)]);
  const isEnded = socket.destroyed;
  socket.destroy();
  return isEnded ? bytes : Infinity;
}

it('requests of HTTP/2 that are taken back at once end with the connection, and leave nothing at the origin', async () => {
  const before = origin.count();
  const socket = await begin();
  const end = ended(socket);
  const cancel = Buffer.from([0, 0, 0, 8]);
  for (let batch = 0; batch < 50 && socket.writable; batch++) {
    const frames: Buffer[] = [];
    for (let each = 0; each < 100; each++) {
      const stream = 1 + 2 * (batch * 100 + each);
      frames.push(frame(types.headers, endStream | endHeaders, stream, fieldsOf(`/reset-${stream}`)));
      frames.push(frame(types.reset, 0, stream, cancel));
    }
    socket.write(Buffer.concat(frames));
    await delay(1);
  }
  expect((await end).after).toBeLessThan(deadlineMs);
  // A connection is good for a thousand requests.
  expect(origin.count() - before).toBeLessThan(1200);
  await expect.poll(() => open, { timeout: graceMs }).toBeLessThan(3);
  // Each is a line of the log that can be read, whatever became of it.
  await edge.logLines(10, ({ request_uri: uri }) => uri.startsWith('/reset-'));
});

it.each([
  ['empty', Buffer.alloc(0)],
  [
    'full of fields',
    Buffer.concat(
      Array.from({ length: 500 }, () => Buffer.from('\u0000\u0001x\u0010aaaaaaaaaaaaaaaa', 'latin1')),
    ),
  ],
])('a header of HTTP/2 that never ends ends the connection (%s)', async (_name, payload) => {
  const socket = await begin();
  socket.write(frame(types.headers, endStream, 1, fieldsOf('/continued')));
  const piece = Buffer.concat(Array.from({ length: 10_000 }, () => frame(types.continuation, 0, 1, payload)));
  expect(await flood(socket, piece, 200_000_000)).toBeLessThan(200_000_000);
});

it.each([
  ['settings', frame(types.settings, 0, 0)],
  ['pings', frame(types.ping, 0, 0, Buffer.alloc(8))],
])('%s without end, that have to be answered, end the connection', async (_name, one) => {
  const socket = await begin();
  const piece = Buffer.concat(Array.from({ length: 10_000 }, () => one));
  expect(await flood(socket, piece, 200_000_000)).toBeLessThan(200_000_000);
});

it('a stream of HTTP/2 that gives no room for its answer ends', async () => {
  // SETTINGS_INITIAL_WINDOW_SIZE: none.
  const socket = await begin(Buffer.from([0, 4, 0, 0, 0, 0]));
  const end = ended(socket);
  socket.write(frame(types.headers, endStream | endHeaders, 1, fieldsOf('/large?windowless')));
  const [line] = await edge.logLines(1, ({ request_uri: uri }) => uri === '/large?windowless');
  expect(line!.request_time).toBeLessThan(deadlineMs / 1000);
  socket.destroy();
  await end;
});

it('and whoever asks as one should is served all the while', async () => {
  stopping.abort();
  const statuses = await normal;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(10);
});
