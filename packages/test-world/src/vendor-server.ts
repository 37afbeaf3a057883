import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP API of somebody else, as a test plays it by that vendor's documents. */

export interface VendorRequest {
  method: string;
  /** As it was sent, without the query. */
  path: string;
  /** As it was sent, without the question mark. */
  rawQuery: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}
export interface VendorReply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON, a text as it is. */
  body?: unknown;
}

export interface VendorServer {
  url: string;
  requests: VendorRequest[];
  /** Given to the next requests in the place of what the vendor would answer. */
  next: VendorReply[];
  close(): Promise<void>;
}

export async function startVendorServer(
  answer: (request: VendorRequest) => VendorReply,
): Promise<VendorServer> {
  const requests: VendorRequest[] = [];
  const next: VendorReply[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const [path = '', rawQuery = ''] = (incoming.url ?? '').split('?');
      const { method = '', headers } = incoming;
      const body = Buffer.concat(chunks).toString('utf8');
      const request = { method, path, rawQuery, query: new URLSearchParams(rawQuery), headers, body };
      requests.push(request);
      const reply = next.shift() ?? answer(request);
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
      outgoing.writeHead(reply.status ?? 200, reply.headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, next, close };
}
