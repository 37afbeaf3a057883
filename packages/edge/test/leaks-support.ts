import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ShippedLogLine } from '@breakwater/contract/access-log';
import { giveRanged } from './ranged-content.ts';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** An origin that answers with what should never leave a server, and a node before it. */

export const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const page = '<!doctype html><html><body><h1>Hello</h1></body></html>';
export const noise = createHash('shake256', { outputLength: 3_000_000 }).update('leaks').digest();
const dump = `-- MySQL dump 10.13  Distrib 8.0.36\n--\nINSERT INTO \`user\` VALUES (1,'ann');\n${'-- \n'.repeat(1_500_000)}`;
const listing = '<title>Index of /a</title><h1>Index of /a</h1><a href="../">../</a>';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An answer that may be kept. */
const give =
  (type: string | undefined, body: string | Buffer, more: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response
      .writeHead(200, {
        'cache-control': 'max-age=600',
        ...(type === undefined ? {} : { 'content-type': type }),
        ...more,
      })
      .end(body);

const giveDump: Respond = (request, response) => {
  if (request.headers.range === undefined) response.setHeader('cache-control', 'max-age=600');
  giveRanged(request, response.setHeader('content-type', 'application/octet-stream'), Buffer.from(dump));
};

const giveAsWished: Respond = (request, response) => {
  const isBrotli = String(request.headers['accept-encoding']).includes('br');
  const fields = { 'content-encoding': 'br', vary: 'Accept-Encoding' };
  if (isBrotli) give('text/plain', brotliCompressSync(privateKey), fields)(request, response);
  else give('text/plain', privateKey)(request, response);
};

const giveInPieces: Respond = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'max-age=600' });
  for (let at = 0; at < privateKey.length; at += 100) response.write(privateKey.slice(at, at + 100));
  response.end();
};

const echo: Respond = (request, response) => {
  let body = '';
  request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
  request.on('end', () =>
    give('text/plain', body === 'leak' ? privateKey : `got ${body.length}`)(request, response),
  );
};

const answers: Record<string, Respond> = {
  '/key': give(undefined, privateKey),
  '/text': give('text/plain', privateKey, { 'cache-control': 'no-store' }),
  '/gzip': give('text/plain', gzipSync(privateKey), { 'content-encoding': 'gzip' }),
  '/br': give('text/plain', brotliCompressSync(privateKey), { 'content-encoding': 'br' }),
  '/wished': giveAsWished,
  '/index': give('text/html', listing),
  '/dump.sql': giveDump,
  '/large.bin': give('application/octet-stream', noise),
  '/image': give('image/png', privateKey),
  '/forged': give('text/html', page, {
    'x-breakwater-leaks': 'YQ==,YQ==,YQ==',
    'x-breakwater-holding': 'on',
    'x-breakwater-judged': 'YQ==,YQ==,YQ==',
  }),
  '/pieces': giveInPieces,
  '/echo': echo,
};

/** Answers that go on until a test ends them, by their query. */
const open: Record<string, { type: string; first: string }> = {
  '/events': { type: 'text/event-stream', first: 'data: one\n\n' },
  '/slow': { type: 'text/html', first: 'data: one\n\n' },
  '/silent': { type: 'application/json', first: '' },
};

export class LeakWorld {
  readonly edge: TestEdge;
  readonly origin: TestOrigin;
  readonly #waiting: Map<string, ServerResponse>;
  #sites = 0;

  constructor(edge: TestEdge, origin: TestOrigin, waiting: Map<string, ServerResponse>) {
    this.edge = edge;
    this.origin = origin;
    this.#waiting = waiting;
  }

  /** `expired`: what `/expired` answers, which is kept for a second and renewed behind its visitor's back. */
  static async start(expired: () => string = () => page): Promise<LeakWorld> {
    const waiting = new Map<string, ServerResponse>();
    const origin = await startOrigin((request, response) => {
      const { pathname, search } = new URL(request.url!, 'http://origin');
      const kept = { 'cache-control': 'max-age=1, stale-while-revalidate=60' };
      const going = open[pathname];
      if (going !== undefined) {
        response.writeHead(200, { 'content-type': going.type, 'cache-control': 'no-store' }).flushHeaders();
        if (going.first !== '') response.write(going.first);
        waiting.set(search, response);
      } else if (pathname === '/expired') give('text/html', expired(), kept)(request, response);
      else (answers[pathname] ?? give('text/html', page))(request, response);
    });
    return new LeakWorld(await TestEdge.start({ workerProcesses: 2 }), origin, waiting);
  }

  async close(): Promise<void> {
    await this.edge.close();
    await this.origin.close();
  }

  async serve(
    systemRules: NonNullable<SiteInput['systemRules']> = { leak: 'default' },
    more: Partial<SiteInput> = {},
  ): Promise<string> {
    const id = ++this.#sites;
    await this.put(id, systemRules, more);
    return `leaks${id}.test`;
  }

  async put(id: number, systemRules: SiteInput['systemRules'], more: Partial<SiteInput> = {}): Promise<void> {
    const origins = [{ address: '127.0.0.1', http_port: this.origin.port }];
    const site = makeSite({ id, domains: [`leaks${id}.test`], origins, ...more, systemRules: systemRules! });
    const [result] = await this.edge.applySites(site);
    if (result!.error !== undefined) throw new Error(result!.error);
  }

  get(host: string, path: string, headers: Record<string, string> = {}) {
    return this.edge.get(host, path, { headers });
  }

  async lineOf(id: string): Promise<ShippedLogLine> {
    return (await this.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
  }

  /** The answer that goes on, once the origin is asked for it. */
  going(query: string): ServerResponse | undefined {
    return this.#waiting.get(query);
  }

  /** What has come of an answer so far. */
  follow(host: string, path: string) {
    const seen = { status: 0, body: '', ended: false, id: '' };
    const { httpPort: port } = this.edge;
    const call = httpRequest({ host: '127.0.0.1', port, path, headers: { host }, agent: false });
    call.on('response', (response) => {
      seen.status = response.statusCode!;
      seen.id = response.headers['x-request-id'] as string;
      response.on('data', (chunk: Buffer) => (seen.body += chunk.toString('latin1')));
      response.on('end', () => (seen.ended = true));
    });
    call.on('error', () => undefined);
    call.end();
    return { seen, leave: () => call.destroy() };
  }
}

export const idOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  headers['x-request-id'] as string;
