import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';

/** Many requests at once over few connections, with targets that no library would send. */

export interface Ask {
  host: string;
  /** A byte string. */
  target: string;
  fields?: string;
  /** `head` is status line and fields, as byte strings. */
  settle(head: string, body: string): void;
}

/** nginx ends a connection after a thousand requests. */
const requestsMax = 900;
const pipelined = 24;
const streams = 30;

/** Asks all of `asks` over this many connections of HTTP/1.1, one after the other on each. */
export async function askInPipelines(port: number, asks: Iterator<Ask>, connections: number): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => follow(port, asks)));
}

async function follow(port: number, asks: Iterator<Ask>): Promise<void> {
  const state = { isOver: false };
  const next = () => nextOf(asks, state);
  let waiting: Ask[] = [];
  while (!state.isOver || waiting.length > 0) {
    const before = waiting;
    waiting = await oneConnection(port, before, next);
    if (waiting.length > 0 && waiting[0] === before[0])
      throw new Error(`No answer to ${JSON.stringify(waiting[0]!.target)}`);
  }
}

function nextOf(asks: Iterator<Ask>, state: { isOver: boolean }): Ask | undefined {
  const next = state.isOver ? undefined : asks.next();
  if (next?.done === false) return next.value;
  state.isOver = true;
  return undefined;
}

/** Answers those that got no answer, for another connection. */
function oneConnection(port: number, first: Ask[], next: () => Ask | undefined): Promise<Ask[]> {
  return new Promise((settle, refuse) => {
    const waiting: Ask[] = [];
    const again = [...first];
    let sent = 0;
    let rest: Buffer = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1');
    const send = () => {
      let text = '';
      while (waiting.length < pipelined && sent < requestsMax) {
        const ask = again.shift() ?? next();
        if (ask === undefined) break;
        waiting.push(ask);
        sent += 1;
        text += `GET ${ask.target} HTTP/1.1\r\nHost: ${ask.host}\r\n${ask.fields ?? ''}\r\n`;
      }
      if (text !== '') socket.write(text, 'latin1');
      else if (waiting.length === 0) socket.end();
    };
    socket.setNoDelay(true);
    socket.setTimeout(60_000, () => refuse(new Error(`No answer to ${JSON.stringify(waiting[0]?.target)}`)));
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      rest = takeAnswers(Buffer.concat([rest, chunk]), waiting, socket);
      if (!socket.destroyed && waiting.length < pipelined / 2) send();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') refuse(error);
    });
    socket.on('close', () => settle([...waiting, ...again]));
  });
}

/** Hands whole answers to those who wait for them, and gives back what is left. */
function takeAnswers(bytes: Buffer, waiting: Ask[], socket: Socket): Buffer {
  let from = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', from);
    if (end < 0) return bytes.subarray(from);
    const head = bytes.toString('latin1', from, end);
    const stop = endOfBody(bytes, head, end + 4);
    if (stop < 0 || bytes.length < stop) return bytes.subarray(from);
    waiting.shift()!.settle(head, bytes.toString('latin1', end + 4, stop));
    from = stop;
    // What was sent behind it is not read.
    if (/\r\nconnection: close/i.test(head)) {
      socket.destroy();
      return Buffer.alloc(0);
    }
  }
}

/** Behind the last byte of a body; -1: it is not all there. */
function endOfBody(bytes: Buffer, head: string, start: number): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (length !== null) return start + Number(length[1]);
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return start;
  const last = bytes.indexOf('\r\n0\r\n\r\n', start);
  return last < 0 ? -1 : last + 7;
}

/** The same over HTTP/2, on one connection after the other. */
export async function askInStreams(port: number, asks: Iterator<Ask>): Promise<void> {
  const state = { isOver: false };
  while (!state.isOver) {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    const one = async () => {
      for (let left = requestsMax / streams; left > 0; left--) {
        const ask = nextOf(asks, state);
        if (ask === undefined) return;
        await oneStream(session, ask);
      }
    };
    await Promise.all(Array.from({ length: streams }, one));
    await new Promise<void>((settle) => session.close(settle));
  }
}

function oneStream(session: ClientHttp2Session, { host, target, settle }: Ask): Promise<void> {
  return new Promise((done, refuse) => {
    const stream = session.request({ ':path': target, ':authority': host });
    let head = '';
    const chunks: Buffer[] = [];
    stream.on('response', (fields) => {
      head = Object.entries(fields)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\r\n');
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', refuse);
    stream.on('close', () => {
      settle(head, Buffer.concat(chunks).toString('latin1'));
      done();
    });
    stream.end();
  });
}
