import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeEnvelope, makeSite, type TestEdge } from './support.ts';

const host = 'traffic.test';
const piece = Buffer.alloc(10_000, 'x');
const pieces = 60;
const pauseMilliseconds = 50;

/** Visitors of all kinds at once, for as long as one likes, and what any of them had to complain of. */
export class Traffic {
  readonly complaints: string[] = [];
  /** Answers so far, by kind. */
  readonly answered = { http1: 0, new: 0, newTls: 0, http2: 0, websocket: 0 };
  /** The long download came whole. */
  downloaded = false;
  readonly #edge: TestEdge;
  readonly #close: () => void;
  readonly #wantEnd: () => void;
  readonly #running: Promise<unknown>;
  #isOver = false;

  private constructor(edge: TestEdge, close: () => void, wantEnd: () => void) {
    this.#edge = edge;
    this.#close = close;
    this.#wantEnd = wantEnd;
    const visitors = [
      this.#http1(),
      this.#http1(),
      ...Array.from({ length: 8 }, (_, index) => this.#anew(index % 2 === 1)),
      this.#http2(),
      this.#webSocket(),
      this.#download(),
    ];
    this.#running = Promise.all(
      visitors.map((visitor) => visitor.catch((error: unknown) => this.complaints.push(String(error)))),
    );
  }

  static async start(edge: TestEdge): Promise<Traffic> {
    const wanted = Promise.withResolvers<void>();
    const origin = createServer((incoming, answer) => {
      if (incoming.url === '/long') void sendSlowly(answer, wanted.promise);
      else answer.end('here');
    });
    origin.on('upgrade', (_, socket: Socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
    await once(origin.listen(0, '127.0.0.1'), 'listening');
    const { port } = origin.address() as AddressInfo;
    const site = makeSite({ id: 1, domains: [host], origins: [{ address: '127.0.0.1', http_port: port }] });
    // As the agent leaves it on the disk, where another nginx finds it.
    const envelope = makeEnvelope('site', '1', edge.nextRevision(), site);
    await writeFile(join(edge.dir, 'documents/site/1.json'), JSON.stringify(envelope));
    await edge.control('POST', '/documents', [envelope]);
    const close = () => {
      origin.closeAllConnections();
      origin.close();
    };
    return new Traffic(edge, close, wanted.resolve);
  }

  /** Until each kind of visitor was answered so many times more. */
  async flows(times: number): Promise<void> {
    const before = { ...this.answered };
    const kinds = ['http1', 'new', 'newTls', 'http2', 'websocket'] as const;
    while (kinds.some((kind) => this.answered[kind] < before[kind] + times)) {
      if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
      await delay(20);
    }
  }

  /** The download comes to its end before. */
  async finish(): Promise<void> {
    this.#wantEnd();
    while (!this.downloaded && this.complaints.length === 0) await delay(20);
    await this.end();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    if (!this.downloaded) this.#close();
    await this.#running;
    this.#close();
  }

  /** Requests on connections that are kept, as browsers do: again on another where one was closed before its answer began (RFC 9112 §9.3.1). */
  async #http1(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.#isOver) {
      const call = request({
        host: '127.0.0.1',
        port: this.#edge.httpPort,
        path: `/${Math.random()}`,
        headers: { host },
        agent,
      });
      call.end();
      const answer = await answerOf(call);
      if (answer === undefined) continue;
      for await (const _ of answer);
      if (answer.statusCode !== 200) throw new Error(`HTTP/1.1: ${answer.statusCode}`);
      this.answered.http1 += 1;
    }
    agent.destroy();
  }

  /** Each on a connection of its own, which is to be answered: what was not kept may not be closed before its request comes. */
  async #anew(isTls: boolean): Promise<void> {
    const name = isTls ? 'newTls' : 'new';
    while (!this.#isOver) {
      const { status } = await this.#edge.get(host, `/${Math.random()}`, isTls ? { servername: host } : {});
      if (status !== 200) throw new Error(`HTTP/1.1 on a new connection: ${status}`);
      this.answered[name] += 1;
    }
  }

  /** On one connection, and a new one once the edge has said (GOAWAY) that it takes no more on this. */
  async #http2(): Promise<void> {
    let session: ClientHttp2Session | undefined;
    let lastTaken = Infinity;
    while (!this.#isOver) {
      if (session === undefined || session.closed || session.destroyed) {
        session = connectHttp2(`https://127.0.0.1:${this.#edge.httpsPort}`, { rejectUnauthorized: false });
        lastTaken = Infinity;
        session.on('error', () => {});
        session.on('goaway', (_, lastStream: number) => (lastTaken = lastStream));
      }
      const stream = session.request({ ':path': `/${Math.random()}`, ':authority': host });
      const status = await statusOf(stream);
      // One beyond those was not looked at, and may go again (RFC 9113 §6.8).
      if (status === undefined && stream.id! > lastTaken) continue;
      if (status !== 200) throw new Error(`HTTP/2: ${status ?? 'no answer'}`);
      this.answered.http2 += 1;
    }
    session?.destroy();
  }

  async #webSocket(): Promise<void> {
    const call = request({
      host: '127.0.0.1',
      port: this.#edge.httpPort,
      path: '/socket',
      headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
    });
    call.end();
    const [, socket] = (await once(call, 'upgrade')) as [IncomingMessage, Socket];
    while (!this.#isOver) {
      const said = `${Math.random()}`;
      socket.write(said);
      if ((await heardFrom(socket)) !== said) throw new Error('the WebSocket was closed');
      this.answered.websocket += 1;
      await delay(10);
    }
    socket.destroy();
  }

  async #download(): Promise<void> {
    const call = request({
      host: '127.0.0.1',
      port: this.#edge.httpPort,
      path: '/long',
      headers: { host },
      agent: false,
    });
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    if (bytes !== piece.length * pieces) throw new Error(`the download ended after ${bytes} bytes`);
    this.downloaded = true;
  }
}

/** Its last piece not before the end is wanted. */
async function sendSlowly(answer: ServerResponse, wanted: Promise<void>): Promise<void> {
  answer.writeHead(200, { 'content-length': piece.length * pieces, 'cache-control': 'no-store' });
  for (let sent = 1; sent < pieces; sent++) {
    answer.write(piece);
    await delay(pauseMilliseconds);
  }
  await wanted;
  answer.end(piece);
}

/** Nothing where the connection has ended. */
async function heardFrom(socket: Socket): Promise<string | undefined> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [heard] = (await Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }),
    ])) as [unknown];
    return heard instanceof Buffer ? heard.toString() : undefined;
  } finally {
    over.abort();
  }
}

/** None where the connection was kept from before, and closed before anything came. */
async function answerOf(call: ClientRequest): Promise<IncomingMessage | undefined> {
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    if (call.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return undefined;
    throw error;
  }
}

/** None where there was no answer, or not all of it. */
function statusOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  return new Promise((settle) => {
    let status: number | undefined;
    stream.on('response', (headers) => (status = headers[':status']));
    stream.on('error', () => settle(undefined));
    stream.on('end', () => settle(status));
    stream.on('close', () => settle(undefined));
    stream.resume();
  });
}
