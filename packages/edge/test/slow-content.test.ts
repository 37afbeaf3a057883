import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@breakwater/test-world/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Visitors whose content comes byte by byte, faster than any deadline between two of them, on a real nginx. */

/** Of the window that a rate is an average of. */
const seconds = 2;
/** Bytes a second, in ten pieces: below and above the 240 that a site asks for which says nothing. */
const slow = 100;
const steady = 1000;
let edge: TestEdge;
let origin: TestOrigin;
/** By path: how much of the content the origin has had, and how it ended. */
const received = new Map<string, { bytes: number; end: 'open' | 'whole' | 'cut' }>();

beforeAll(async () => {
  edge = await TestEdge.start({
    visitorSeconds: { header: 20, content: seconds, sending: 60, connection: 120 },
  });
  origin = await startOrigin((request, response) => {
    const state = { bytes: 0, end: 'open' as 'open' | 'whole' | 'cut' };
    received.set(request.url!, state);
    request.on('error', () => undefined);
    request.on('close', () => {
      if (state.end === 'open') state.end = 'cut';
    });
    request.on('data', (data: Buffer) => {
      state.bytes += data.length;
      if (!request.url!.startsWith('/takes-slowly')) return;
      request.pause();
      setTimeout(() => request.resume(), 20);
    });
    request.on('end', () => {
      state.end = 'whole';
      if (request.url!.startsWith('/answers-late')) setTimeout(() => response.end('had it'), seconds * 2500);
      else response.end('had it');
    });
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const plain = { origins } satisfies Partial<SiteInput>;
  await edge.applySites(
    makeSite({ ...plain, id: 1, domains: ['slow.test'] }),
    makeSite({ ...plain, id: 2, domains: ['any.test'], security: { body_rate_min: 0 } }),
    makeSite({
      ...plain,
      id: 3,
      domains: ['judged.test'],
      systemRules: { mode: 'default', large_bodies: 'judge' },
    }),
    makeSite({ ...plain, id: 4, domains: ['fast.test'], security: { body_rate_min: 5000 } }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** Sends pieces at so many bytes a second, until all was sent or the other side ends. */
async function send(
  socket: Socket,
  bytes: number,
  rate: number,
  frame = (piece: string) => piece,
): Promise<void> {
  const piece = 'x'.repeat(rate / 10);
  for (let sent = 0; sent < bytes && socket.writable && !socket.readableEnded; sent += piece.length) {
    socket.write(frame(piece));
    await delay(100);
  }
}

interface Upload {
  host?: string;
  path: string;
  /** Stated; absent: it comes in chunks. */
  length?: number;
  /** How much of it is sent. */
  bytes: number;
  rate: number;
}

/** What the visitor gets, over HTTP/1.1. */
async function upload({ host = 'slow.test', path, length, bytes, rate }: Upload): Promise<string> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\nConnection: close\r\n${framing}\r\n\r\n`,
  );
  const chunk = (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`;
  await send(socket, bytes, rate, length === undefined ? chunk : undefined);
  if (length === undefined && socket.writable) socket.write('0\r\n\r\n');
  await ended;
  return text;
}

const lineOf = async (path: string) => (await edge.logLines(1, ({ request_uri: uri }) => uri === path))[0]!;

const tooSlow = { status: 408, decision: 'security content_too_slow' };

it.concurrent.each([
  ['little that states its length', { path: '/little', length: 5000 }],
  ['much that states its length', { path: '/much', length: 1_000_000 }],
  ['what comes in chunks', { path: '/chunks' }],
  ['little that is judged', { host: 'judged.test', path: '/judged-little', length: 5000 }],
  ['much that is judged', { host: 'judged.test', path: '/judged-much', length: 2_000_000 }],
])('ends %s and comes too slowly, with 408', async (_, request) => {
  const answer = await upload({ ...request, bytes: 20_000, rate: slow });
  expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*The upload was too slow/);
  expect(await lineOf(request.path)).toMatchObject(tooSlow);
  const isCut = () => (received.get(request.path)?.end ?? 'cut') === 'cut';
  await waitFor('the end at the origin', isCut);
});

it.concurrent('asks no origin for what is small before all of it has come', async () => {
  const uploading = upload({ path: '/whole-first', length: 3000, bytes: 3000, rate: steady });
  await delay(1500);
  expect(received.has('/whole-first')).toBe(false);
  expect(await uploading).toContain('had it');
  expect(received.get('/whole-first')).toEqual({ bytes: 3000, end: 'whole' });
});

it.concurrent.each([
  ['of a stated length', { path: '/steady', length: 100_000, bytes: 100_000, rate: 20_000 }],
  ['in chunks', { path: '/steady-chunks', bytes: 5000, rate: steady }],
  [
    'from a visitor of a site that lets it be slow',
    { host: 'any.test', path: '/any', length: 500, bytes: 500, rate: slow },
  ],
  ['to an origin that answers long after it', { path: '/answers-late', bytes: 70_000, rate: 100_000 }],
  [
    'to one that takes it slowly',
    { path: '/takes-slowly', length: 12_000_000, bytes: 12_000_000, rate: 100_000_000 },
  ],
])('lets content through %s', async (_, request) => {
  expect(await upload(request)).toMatch(/^HTTP\/1\.1 200 [^]*had it/);
  expect(received.get(request.path)).toEqual({ bytes: request.bytes, end: 'whole' });
});

it.concurrent('holds content to the rate of its site', async () => {
  const answer = await upload({
    host: 'fast.test',
    path: '/too-slow-here',
    length: 80_000,
    bytes: 80_000,
    rate: steady,
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

it.concurrent.each([
  ['little', 5000],
  ['much', 1_000_000],
])('ends %s over HTTP/2 as well, and leaves the connection its other requests', async (_, length) => {
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
    servername: 'slow.test',
    rejectUnauthorized: false,
  });
  const path = `/h2-${length}`;
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    ':authority': 'slow.test',
    'content-length': length,
  });
  const answered = once(stream, 'response') as Promise<[Record<string, unknown>]>;
  const ended = new AbortController();
  void answered.then(() => ended.abort());
  stream.on('error', () => undefined);
  while (!ended.signal.aborted) {
    stream.write('x'.repeat(slow / 10));
    await delay(100);
  }
  expect((await answered)[0][':status']).toBe(408);
  const other = session.request({ ':path': '/other', ':authority': 'slow.test' });
  const [headers] = (await once(other, 'response')) as [Record<string, unknown>];
  expect(headers[':status']).toBe(200);
  session.destroy();
  expect(await lineOf(path)).toMatchObject(tooSlow);
});
