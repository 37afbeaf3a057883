import { createSocket } from 'node:dgram';
import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { LogShippingOrder } from '@breakwater/contract';

/** Hands whole log lines to a receiver. Resolves when it has them, as far as can be told; fails with the reason why not. */
export interface LogSender {
  /** Whether nothing more can be known of what was sent once that is resolved. */
  readonly confirms: boolean;
  send(lines: readonly Buffer[]): Promise<void>;
  /** Fails when the receiver has gone since: what was sent last may be lost. */
  check(): void;
  close(): void;
}

const silenceMilliseconds = 20_000;
/** A datagram carries no more; of a longer line the beginning. */
const datagramBytesMax = 60_000;

export function senderOf(order: LogShippingOrder, folder: string): LogSender {
  if (order.kind === 'http') return new HttpSender(order);
  if (order.kind === 'file') return new FileSender(order, folder);
  return order.syslog_transport === 'udp' ? new DatagramSender(order) : new StreamSender(order);
}

/** RFC 5424: facility local0, severity informational; the time is that of the line. */
function syslogMessage(line: Buffer): Buffer {
  const time = /^\{"time":"([0-9TZ:.-]{24})"/.exec(line.subarray(0, 40).toString('latin1'))?.[1] ?? '-';
  const host =
    hostname()
      .replace(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-';
  return Buffer.concat([Buffer.from(`<134>1 ${time} ${host} breakwater ${process.pid} access - `), line]);
}

class DatagramSender implements LogSender {
  readonly confirms = true;
  readonly #order: LogShippingOrder;
  constructor(order: LogShippingOrder) {
    this.#order = order;
  }

  async send(lines: readonly Buffer[]): Promise<void> {
    const { syslog_host: host, syslog_port: port } = this.#order;
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
    try {
      // All its life: that nobody listens there may be told at any time.
      const failing = new Promise<never>((_, reject) => socket.on('error', reject));
      await Promise.race([failing, new Promise<void>((resolve) => socket.connect(port, host, resolve))]);
      for (const line of lines)
        await new Promise<void>((resolve, reject) =>
          socket.send(syslogMessage(line).subarray(0, datagramBytesMax), (error) =>
            error ? reject(error) : resolve(),
          ),
        );
    } finally {
      socket.close();
    }
  }
  // Nobody answers a datagram.
  check(): void {}
  close(): void {}
}

/** Messages framed by their length, on one connection. */
class StreamSender implements LogSender {
  readonly confirms = false;
  readonly #order: LogShippingOrder;
  #socket: Socket | undefined;
  #failure: Error | undefined;
  constructor(order: LogShippingOrder) {
    this.#order = order;
  }

  async send(lines: readonly Buffer[]): Promise<void> {
    const socket = (this.#socket ??= await this.#connect());
    const parts = lines.flatMap((line) => {
      const message = syslogMessage(line);
      return [Buffer.from(`${message.length} `), message];
    });
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(this.#failure ?? new Error('the receiver closed the connection'));
      socket.once('close', fail);
      socket.write(Buffer.concat(parts), (error) => {
        socket.removeListener('close', fail);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  check(): void {
    if (this.#failure) throw this.#failure;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#failure = undefined;
  }

  #connect(): Promise<Socket> {
    const { syslog_host: host, syslog_port: port, syslog_transport, syslog_ca: ca } = this.#order;
    const secure = syslog_transport === 'tls';
    return new Promise((resolve, reject) => {
      const socket = secure
        ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca } : {}) })
        : connectTcp({ host, port });
      // A receiver that takes nothing for so long is as good as away.
      socket.setTimeout(silenceMilliseconds, () => {
        if (socket.connecting || socket.writableLength > 0)
          socket.destroy(new Error('the receiver does not take anything'));
      });
      socket.on('error', (error: Error) => {
        this.#failure = error;
      });
      socket.on('close', () => {
        this.#failure ??= new Error('the receiver closed the connection');
        reject(this.#failure);
      });
      // What it says is of no use, and must not stand in the way.
      socket.resume();
      socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket));
    });
  }
}

class HttpSender implements LogSender {
  readonly confirms = true;
  readonly #order: LogShippingOrder;
  readonly #client: typeof http | typeof https;
  readonly #connections: http.Agent;
  constructor(order: LogShippingOrder) {
    this.#order = order;
    this.#client = order.http_url.startsWith('https:') ? https : http;
    this.#connections = new this.#client.Agent({ keepAlive: true, maxSockets: 1 });
  }

  async send(lines: readonly Buffer[]): Promise<void> {
    const { http_url, http_authorization: authorization } = this.#order;
    const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
    const status = await new Promise<number>((resolve, reject) => {
      const request = this.#client.request(
        http_url,
        {
          method: 'POST',
          agent: this.#connections,
          signal: AbortSignal.timeout(silenceMilliseconds),
          headers: {
            'content-type': 'application/x-ndjson',
            'content-length': body.length,
            ...(authorization ? { authorization } : {}),
          },
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
    if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
  }
  check(): void {}
  close(): void {
    this.#connections.destroy();
  }
}

/** Appends to `access.log`; the older ones are `access.log.1` and so on, the last of which is deleted. */
class FileSender implements LogSender {
  readonly confirms = true;
  readonly #order: LogShippingOrder;
  readonly #folder: string;
  constructor(order: LogShippingOrder, folder: string) {
    this.#order = order;
    this.#folder = folder;
  }

  async send(lines: readonly Buffer[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o750 });
    const path = join(this.#folder, 'access.log');
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= this.#order.file_rotate_bytes) await this.#rotate(path);
    await appendFile(path, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])), {
      mode: 0o640,
    });
  }

  async #rotate(path: string): Promise<void> {
    const { file_keep: keep } = this.#order;
    // One is written to; those that a greater number had kept go too.
    await rm(`${path}.${keep - 1}`, { force: true });
    if (keep === 1) return rm(path, { force: true });
    for (let number = keep - 2; number >= 1; number -= 1)
      await rename(`${path}.${number}`, `${path}.${number + 1}`).catch(() => undefined);
    await rename(path, `${path}.1`);
  }
  check(): void {}
  close(): void {}
}
