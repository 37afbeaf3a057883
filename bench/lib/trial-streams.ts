import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Dropped,
  Http1Client,
  numbered,
  type Client,
  type Http2Client,
  type Place,
} from './trial-clients.ts';
import type { Diary } from './trial-diary.ts';

/** Visits of what lasts: uploads, event streams, WebSocket, calls of gRPC. Each throws what it has to complain of. */

export class Wrong extends Error {}

/** RFC 6455 §4.2.2. */
export const webSocketKey = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

export async function upload(client: Client, host: string): Promise<void> {
  const body = randomBytes(1 + Math.floor(Math.random() ** 3 * 2_000_000));
  // Over HTTP/1.1 with its length or in chunks.
  const isChunked = client instanceof Http1Client && Math.random() < 0.5;
  const headers = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': `${body.length}` };
  const answer = await client.ask({ host, path: '/upload', method: 'POST', headers, body });
  if (answer.status !== 200) throw new Wrong(`an upload was answered ${answer.status}`);
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (answer.body.toString() !== JSON.stringify({ bytes: body.length, sha256 }))
    throw new Wrong(`an upload of ${body.length} bytes came as ${answer.body.toString()}`);
}

export async function followEvents(client: Client, host: string, count: number): Promise<void> {
  const answer = await client.ask({ host, path: '/events' });
  if (answer.status !== 200) throw new Wrong(`a stream of events was answered ${answer.status}`);
  const ids = [...answer.body.toString().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  if (ids.length !== count || ids.some((id, index) => id !== index + 1))
    throw new Wrong(`${count} events came as ${ids.length}`);
}

/** Says something ten times a second, and hears it back, until it is over. */
export async function holdWebSocket(
  place: Place,
  diary: Diary,
  host: string,
  isOver: () => boolean,
): Promise<void> {
  const number = diary.number();
  const key = randomBytes(16).toString('base64');
  const options: RequestOptions = {
    host: '127.0.0.1',
    port: place.httpsPort,
    servername: host,
    ca: place.ca,
    agent: false,
    path: numbered('/socket', number),
    headers: {
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
    },
  };
  const call = request(options);
  call.end();
  const [answer, socket] = await upgradeOf(call);
  diary.answered(number);
  if (answer.headers['sec-websocket-accept'] !== webSocketKey(key))
    throw new Wrong('a WebSocket has another key');
  while (!isOver()) {
    const said = randomBytes(20).toString('hex');
    socket.write(said);
    for (let heard = ''; heard !== said;) {
      heard += await nextOf(socket);
      if (!said.startsWith(heard)) throw new Wrong('a WebSocket says something else');
    }
    diary.count('websocket_messages');
    await delay(100);
  }
  socket.destroy();
}

async function upgradeOf(call: ReturnType<typeof request>): Promise<[IncomingMessage, Socket]> {
  const { promise, resolve, reject } = Promise.withResolvers<[IncomingMessage, Socket]>();
  call.on('upgrade', (answer, socket) => resolve([answer, socket as Socket]));
  call.on('response', (answer) => reject(new Wrong(`a WebSocket was answered ${answer.statusCode}`)));
  call.on('error', (error) => reject(new Dropped(`a new WebSocket: ${error.message}`)));
  return promise;
}

async function nextOf(socket: Socket): Promise<string> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [chunk] = (await Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }).then(() => []),
    ])) as [Buffer?];
    if (chunk === undefined) throw new Dropped('a WebSocket was closed');
    return chunk.toString();
  } finally {
    over.abort();
  }
}

/** Some messages, each once the one before has come back. */
export async function converse(client: Http2Client, diary: Diary, host: string): Promise<void> {
  const messages = Array.from({ length: 5 }, () => framed(randomBytes(Math.floor(Math.random() * 20_000))));
  for (let tries = 1; !(await callOnce(client, diary, host, messages, tries < 4)); tries++)
    diary.count('asked_again');
}

/** Whether it was taken at all. */
async function callOnce(
  client: Http2Client,
  diary: Diary,
  host: string,
  messages: Buffer[],
  mayRepeat: boolean,
): Promise<boolean> {
  const number = diary.number();
  const opened = client.open();
  const stream = opened.session.request(
    {
      ':method': 'POST',
      ':path': numbered('/echo', number),
      ':authority': host,
      'content-type': 'application/grpc',
      te: 'trailers',
    },
    { endStream: false },
  );
  let status: unknown;
  let outcome: unknown;
  stream.on('response', (headers) => (status = headers[':status']));
  stream.on('trailers', (given: Record<string, unknown>) => (outcome = given['grpc-status']));
  try {
    const echoed = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    for (const message of messages) {
      stream.write(message);
      let bytes = Buffer.alloc(0);
      while (bytes.length < message.length) {
        const { value, done } = await echoed.next();
        if (done === true) throw new Error('it ended');
        bytes = Buffer.concat([bytes, value]);
      }
      if (!bytes.equals(message)) throw new Wrong('a call says something else');
    }
    stream.end();
    while (!(await echoed.next()).done);
  } catch (error) {
    if (error instanceof Wrong) throw error;
    if (status !== undefined) diary.answered(number);
    else if (mayRepeat && opened.error === undefined && stream.id! > opened.lastTaken) return false;
    throw new Dropped(`a call, answered ${String(status)}: ${String(error)} ${opened.error?.message ?? ''}`);
  }
  diary.answered(number);
  if (status !== 200 || outcome !== '0')
    throw new Wrong(`a call was answered ${String(status)}, ${String(outcome)}`);
  diary.count('calls');
  return true;
}

function framed(content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}
