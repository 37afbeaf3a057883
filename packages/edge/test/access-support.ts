import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** An edge with one origin that says what it was asked, and sites of their own for each question. */
export class AccessWorld {
  readonly edge: TestEdge;
  readonly origin: TestOrigin;
  /** Of the request that the origin saw last. */
  seen: IncomingHttpHeaders = {};
  #sites = 0;

  constructor(edge: TestEdge, origin: TestOrigin) {
    this.edge = edge;
    this.origin = origin;
  }

  static async start(): Promise<AccessWorld> {
    let note = (_headers: IncomingHttpHeaders) => {};
    const origin = await startOrigin((request, response) => {
      note(request.headers);
      response.setHeader('Cache-Control', 'max-age=600');
      response.end(`asked ${request.url}`);
    });
    const world = new AccessWorld(await TestEdge.start(), origin);
    note = (headers) => (world.seen = headers);
    return world;
  }

  async close(): Promise<void> {
    await this.edge.close();
    await this.origin.close();
  }

  /** The host of a new site. */
  async site(settings: Partial<SiteInput>): Promise<string> {
    this.#sites += 1;
    const host = `access${this.#sites}.test`;
    const site = makeSite({
      id: this.#sites,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: this.origin.port }],
      ...settings,
    });
    const [result] = await this.edge.applySites(site);
    if (result!.error !== undefined) throw new Error(result!.error);
    return host;
  }

  /** Whose site it is: a customer's for itself. */
  clientOf(host: string): number {
    return Number(/\d+/.exec(host)![0]) + 1000;
  }

  async status(host: string, path = '/', headers: Record<string, string> = {}): Promise<number> {
    return (await this.edge.get(host, path, { headers })).status;
  }

  /** The status line of a request written byte by byte. */
  raw(request: string | Buffer): Promise<string> {
    return new Promise((settle, refuse) => {
      const socket = connect(this.edge.httpPort, '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.setTimeout(5000, () => socket.destroy(new Error('The connection stays open.')));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('error', refuse);
      socket.on('close', () => settle(text));
    });
  }

  async rawStatus(host: string, target: string, lines: string[] = []): Promise<number> {
    const head = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines];
    const answer = await this.raw(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'));
    return Number(answer.split(' ')[1]);
  }
}
