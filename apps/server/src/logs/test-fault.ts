import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a store and OpenSearch. Its faults count requests from where they are asked for, from 1. */
export class FaultyRoad {
  readonly #upstream: URL;
  readonly #server = createServer((incoming, answer) => void this.#pass(incoming, answer));
  #count = 0;
  #lastAlive = Infinity;
  #heldAt = Infinity;
  #held = Promise.withResolvers<void>();
  #released = Promise.withResolvers<void>();

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
  }

  static async open(upstream: string): Promise<FaultyRoad> {
    const road = new FaultyRoad(upstream);
    road.#server.listen(0, '127.0.0.1');
    await once(road.#server, 'listening');
    return road;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** So many requests are done, the last without an answer; after them who sends them is as good as dead. */
  killAfter(count: number): void {
    this.#count = 0;
    this.#lastAlive = count;
  }

  /** The request of this number waits. */
  holdAt(count: number): void {
    this.#count = 0;
    this.#heldAt = count;
    this.#held = Promise.withResolvers();
    this.#released = Promise.withResolvers();
  }

  get held(): Promise<void> {
    return this.#held.promise;
  }

  release(): void {
    this.#heldAt = Infinity;
    this.#released.resolve();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    this.#count += 1;
    const number = this.#count;
    if (number > this.#lastAlive) {
      answer.destroy();
      return;
    }
    if (number === this.#heldAt) {
      this.#held.resolve();
      await this.#released.promise;
    }
    const { hostname, port } = this.#upstream;
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (response) => {
      if (number === this.#lastAlive) {
        response.resume().on('end', () => answer.destroy());
        return;
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    incoming.pipe(forwarded);
  }
}
