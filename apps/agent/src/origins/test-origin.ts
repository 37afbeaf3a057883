import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { freePorts } from '@breakwater/test-world/ports';

const pair = makeSelfSigned('origin.example.com');

/** An origin whose pages say its name; `health` is what its check finds, and never its pages. */
export class TestOrigin {
  health: 'well' | 'failing' | 'wrong body' | 'silent' = 'well';
  checks = 0;
  port = 0;
  readonly name: string;
  readonly #tls: boolean;
  #server: Server | undefined;

  constructor(name: string, tls = false) {
    this.name = name;
    this.#tls = tls;
  }

  async open(): Promise<this> {
    const { certificate: cert, key } = pair;
    // It comes back there.
    this.port ||= (await freePorts(1))[0]!;
    const server = this.#tls ? createTlsServer({ cert, key }) : createServer();
    server.on('request', (incoming, response) => {
      if (incoming.url !== '/health') return response.end(this.name);
      this.checks += 1;
      if (this.health === 'silent') return undefined;
      return response
        .writeHead(this.health === 'failing' ? 503 : 200)
        .end(this.health === 'wrong body' ? 'ill' : 'all is well');
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.#server = server;
    return this;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }
}
