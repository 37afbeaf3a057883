import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePorts, waitFor } from '../../packages/test-world/src/index.ts';
import { webSocketKey } from './trial-streams.ts';

/** What is in the folder, given by a plain nginx, which can be made to fail as servers do. */
export class FileOrigin {
  readonly port: number;
  readonly #folder: string;
  readonly #root: string;
  #nginx: ChildProcess | undefined;

  private constructor(folder: string, root: string, port: number) {
    this.#folder = folder;
    this.#root = root;
    this.port = port;
  }

  static async start(folder: string, root: string): Promise<FileOrigin> {
    const [port] = (await freePorts(1)) as [number];
    await mkdir(join(folder, 'logs'), { recursive: true });
    const origin = new FileOrigin(folder, root, port);
    await origin.start();
    return origin;
  }

  /** As it is installed, or answering 503 to all. */
  async start(isBusy = false): Promise<void> {
    const conf = `daemon off; worker_processes 2; pid nginx.pid; error_log logs/error.log;
      events { worker_connections 4096; }
      http { include /etc/nginx/mime.types; access_log off; sendfile on;
        server { listen 127.0.0.1:${this.port}; root ${JSON.stringify(this.#root)}; ${isBusy ? 'return 503;' : ''} } }`;
    await writeFile(join(this.#folder, 'nginx.conf'), conf);
    const args = ['-p', this.#folder, '-e', 'logs/error.log', '-c', 'nginx.conf'];
    this.#nginx = spawn('/usr/sbin/nginx', args, { stdio: 'ignore', detached: true });
    await waitFor('an origin', () => isOpen(this.port));
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.#nginx!, 'exit');
    // SIGQUIT lets its workers finish what they are sending; the others are for all of it.
    if (signal === 'SIGQUIT') this.#nginx!.kill(signal);
    else this.#signal(signal);
    await ended;
  }

  /** It takes connections and says nothing. */
  hang(): void {
    this.#signal('SIGSTOP');
  }

  goOn(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    process.kill(-this.#nginx!.pid!, signal);
  }

  async close(): Promise<void> {
    if (this.#nginx!.exitCode === null && this.#nginx!.signalCode === null) await this.stop('SIGKILL');
  }
}

const isOpen = (port: number) =>
  new Promise<boolean>((settle) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => settle(true)).on('error', () => settle(false));
    socket.on('connect', () => socket.destroy());
  });

export interface LiveOrigin {
  /** HTTP/1.1: uploads, event streams, WebSocket. */
  port: number;
  /** HTTP/2 without TLS: calls of gRPC. */
  callPort: number;
  close(): void;
}

/** What answers while the request lasts. */
export async function startLiveOrigin(): Promise<LiveOrigin> {
  const plain = createServer((request, answer) => {
    if (request.url?.startsWith('/events') === true) void tellEvents(request, answer);
    else receive(request, answer);
  });
  plain.keepAliveTimeout = 60_000;
  plain.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {});
    const accept = webSocketKey(request.headers['sec-websocket-key'] ?? '');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  const calls = createHttp2Server().on('stream', answerCall) as unknown as Server;
  for (const server of [plain, calls]) await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (plain.address() as AddressInfo).port,
    callPort: (calls.address() as AddressInfo).port,
    close() {
      plain.closeAllConnections();
      plain.close();
      calls.close();
    },
  };
}

/** Says how much came, and its hash. */
function receive(request: IncomingMessage, answer: ServerResponse): void {
  const hash = createHash('sha256');
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  request.on('error', () => {});
  request.on('end', () => answer.end(JSON.stringify({ bytes, sha256: hash.digest('hex') })));
}

export const eventsOfStream = 60;

async function tellEvents(request: IncomingMessage, answer: ServerResponse): Promise<void> {
  answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  answer.on('error', () => {});
  for (let id = 1; id <= eventsOfStream && !answer.destroyed; id++) {
    answer.write(`id: ${id}\ndata: ${request.url}\n\n`);
    await new Promise((settle) => setTimeout(settle, 200));
  }
  answer.end();
}

/** Each message back as it comes. */
function answerCall(stream: ServerHttp2Stream): void {
  stream.on('error', () => {});
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.on('data', (chunk: Buffer) => stream.write(chunk));
  stream.on('end', () => stream.end());
}
