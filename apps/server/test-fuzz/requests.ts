import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

/** One request as it goes out: the target stands in the request line as it is. */
export interface Attempt {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Outcome {
  status: number;
  contentType: string;
  body: string;
}

/** Longer than any call may take: a command to a node waits 25 seconds at most. */
const answerMillisecondsMax = 60_000;

/** Sends requests to one address over a few connections that stay open. */
export class Sender {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(url: string) {
    this.#url = new URL(url);
    const options = { keepAlive: true, maxSockets: 8 };
    this.#agent = this.#url.protocol === 'https:' ? new SecureAgent(options) : new Agent(options);
  }

  /** Rejects when the connection breaks or nothing is answered. Of an answer that goes on, only the head is read. */
  send({ method, target, headers, body }: Attempt): Promise<Outcome> {
    const ask = this.#url.protocol === 'https:' ? secureRequest : request;
    const { hostname, port } = this.#url;
    const options = { agent: this.#agent, hostname, port, method, path: target, headers };
    return new Promise((resolve, reject) => {
      const outgoing = ask({ ...options, timeout: answerMillisecondsMax }, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const contentType = answered['content-type'] ?? '';
        const chunks: Buffer[] = [];
        const done = () => resolve({ status, contentType, body: Buffer.concat(chunks).toString() });
        if (contentType === 'text/event-stream') {
          outgoing.destroy();
          return done();
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', done);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
