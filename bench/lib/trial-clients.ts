import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Agent, request, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Diary } from './trial-diary.ts';

export interface Place {
  httpPort: number;
  httpsPort: number;
  /** Of the authority that issued what the sites show. */
  ca: string;
}
export interface Asked {
  host: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}
export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}
/** Awaited after each part of an answer, by who takes it slowly. */
type OnPart = () => Promise<unknown>;

/** The connection ended with no answer, or before all of it was there. */
export class Dropped extends Error {}

const silentMilliseconds = 40_000;
const triesMax = 4;

/** With a number in its query, under which the log has it. */
export const numbered = (path: string, number: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}n=${number}`;

/** A visitor's browser: asks, and asks again where the protocol lets it. */
export abstract class Client {
  readonly place: Place;
  readonly diary: Diary;

  constructor(place: Place, diary: Diary) {
    this.place = place;
    this.diary = diary;
  }

  async ask(asked: Asked, onPart?: OnPart): Promise<Answered> {
    for (let tries = 1; ; tries++) {
      const number = this.diary.number();
      const answer = await this.once(asked, number, tries < triesMax, onPart);
      if (answer === undefined) this.diary.count('asked_again');
      else {
        this.diary.answered(number);
        return answer;
      }
    }
  }

  abstract close(): void;

  /** Nothing where it may be asked again. */
  protected abstract once(
    asked: Asked,
    number: string,
    mayRepeat: boolean,
    onPart: OnPart | undefined,
  ): Promise<Answered | undefined>;
}

export class Http1Client extends Client {
  readonly #isPlain: boolean;
  readonly #agent: Agent | PlainAgent;
  /** Connections that carried a request before. Node leaves `reusedSocket` unset for a request that waited for one (`maxSockets`). */
  readonly #kept = new WeakSet<Socket>();

  /** `keeps`: asks on one connection as long as that is there; else on a new one each time. */
  constructor(place: Place, diary: Diary, options: { keeps: boolean; isPlain?: boolean }) {
    super(place, diary);
    this.#isPlain = options.isPlain === true;
    const own = { keepAlive: options.keeps, maxSockets: 1 };
    this.#agent = this.#isPlain ? new PlainAgent(own) : new Agent(own);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Again on a connection kept from before, that was closed before anything came (RFC 9112 §9.3.1). */
  protected once(
    { host, path, method = 'GET', headers = {}, body }: Asked,
    number: string,
    mayRepeat: boolean,
    onPart: OnPart | undefined,
  ): Promise<Answered | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered | undefined>();
    const options: RequestOptions = {
      host: '127.0.0.1',
      path: numbered(path, number),
      method,
      headers: { ...headers, host },
      agent: this.#agent,
      timeout: silentMilliseconds,
      ...(this.#isPlain
        ? { port: this.place.httpPort }
        : { port: this.place.httpsPort, servername: host, ca: this.place.ca }),
    };
    const call = this.#isPlain ? plainRequest(options) : request(options);
    let [isKept, hasConnected] = [false, false];
    call.on('socket', (socket) => {
      isKept = this.#kept.has(socket);
      this.#kept.add(socket);
      if (!this.#isPlain && !isKept) socket.once('secureConnect', () => (hasConnected = true));
    });
    call.on('timeout', () => call.destroy(new Error('silent')));
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (mayRepeat && isKept && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(undefined);
      else {
        const by = this.#isPlain ? 'HTTP' : `HTTPS${isKept || hasConnected ? '' : ' in its handshake'}`;
        const how = isKept ? 'kept' : 'new';
        reject(new Dropped(`${how} connection (${by}) for ${method} ${host}${path}: ${error.message}`));
      }
    });
    call.on('response', (incoming: IncomingMessage) => {
      this.diary.count('http1');
      if (!isKept && !this.#isPlain && (incoming.socket as TLSSocket).isSessionReused())
        this.diary.count('tls_resumed');
      read(incoming, onPart).then(
        (content) => resolve({ status: incoming.statusCode!, headers: incoming.headers, body: content }),
        (error: unknown) => {
          this.diary.answered(number);
          reject(new Dropped(`within an answer ${incoming.statusCode} to ${path}: ${String(error)}`));
        },
      );
    });
    call.end(body);
    return promise;
  }
}

async function read(incoming: IncomingMessage, onPart: OnPart | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
    await onPart?.();
  }
  if (!incoming.complete) throw new Error('not all of it came');
  return Buffer.concat(chunks);
}

/** Fails where it ends before its end. */
async function endOf(stream: ClientHttp2Stream): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.on('end', resolve);
  stream.on('error', reject);
  stream.on('close', () => reject(new Error('closed before its end')));
  return promise;
}

interface Session {
  session: ClientHttp2Session;
  /** Streams beyond were not looked at (RFC 9113 §6.8). */
  lastTaken: number;
  error?: Error;
  /** Who reads slowly stops that once the edge says that this connection will end. */
  paused: Set<ClientHttp2Stream>;
}

/** On one connection, and a new one once the edge has said that it takes no more on this. */
export class Http2Client extends Client {
  readonly #host: string;
  #current: Session | undefined;

  constructor(place: Place, diary: Diary, host: string) {
    super(place, diary);
    this.#host = host;
  }

  open(): Session {
    const current = this.#current;
    if (current !== undefined && !current.session.closed && !current.session.destroyed) return current;
    const session = connectHttp2(`https://${this.#host}`, {
      host: '127.0.0.1',
      port: this.place.httpsPort,
      servername: this.#host,
      ca: this.place.ca,
    } as Parameters<typeof connectHttp2>[1]);
    const opened: Session = { session, lastTaken: Infinity, paused: new Set() };
    session.on('error', (error: Error) => (opened.error = error));
    session.on('goaway', (_, last: number) => {
      opened.lastTaken = last;
      for (const stream of opened.paused) stream.resume();
    });
    this.#current = opened;
    return opened;
  }

  close(): void {
    this.#current?.session.destroy();
  }

  protected async once(
    { host, path, method = 'GET', headers = {}, body }: Asked,
    number: string,
    mayRepeat: boolean,
    onPart: OnPart | undefined,
  ): Promise<Answered | undefined> {
    const opened = this.open();
    const stream = opened.session.request(
      { ':method': method, ':path': numbered(path, number), ':authority': host, ...headers },
      { endStream: body === undefined },
    );
    stream.setTimeout(silentMilliseconds, () => stream.destroy(new Error('silent')));
    if (body !== undefined) stream.end(body);
    let got: Record<string, string | string[] | undefined> | undefined;
    stream.on('response', (given) => (got = given as typeof got));
    const chunks: Buffer[] = [];
    // Read as it comes: Node drops what it has of an answer when the connection ends behind it.
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (onPart === undefined || opened.lastTaken !== Infinity) return;
      stream.pause();
      opened.paused.add(stream);
      void onPart().then(() => {
        opened.paused.delete(stream);
        stream.resume();
      });
    });
    try {
      await endOf(stream);
      if (got === undefined) throw new Error('ended without an answer');
      if (stream.rstCode !== 0) throw new Error(`reset with ${stream.rstCode}`);
    } catch (error) {
      const isUntaken = stream.id === undefined || stream.id > opened.lastTaken || stream.rstCode === 7;
      if (got === undefined && mayRepeat && isUntaken && opened.error === undefined) return undefined;
      if (got !== undefined) this.diary.answered(number);
      throw new Dropped(
        `HTTP/2 ${got === undefined ? 'before' : 'within'} an answer ${got === undefined ? '' : String(got[':status'])} to ${path}: ${String(error)} ${opened.error?.message ?? ''} stream ${stream.id} last ${opened.lastTaken}`,
      );
    }
    this.diary.count('http2');
    return { status: Number(got[':status']), headers: got, body: Buffer.concat(chunks) };
  }
}
