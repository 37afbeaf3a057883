import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

export interface Origin {
  port: number;
  /** Requests it has had, oldest first. */
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on the loopback, as a customer's origin. With `tls` it speaks https. */
export async function startOrigin(handler: Handler, tls?: { key: string; cert: string }): Promise<Origin> {
  const requests: Origin['requests'] = [];
  const listener: Handler = (request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    handler(request, response);
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, requests, close };
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.js': 'text/javascript',
};

/** Serves a folder of files as a plain file server does: it says when a file changed, and nothing of caching. */
export function fileHandler(root: string): Handler {
  return (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://origin').pathname));
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    Promise.all([readFile(file), stat(file)]).then(
      ([bytes, { mtime }]) => {
        const type = types[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'last-modified': mtime.toUTCString() }).end(bytes);
      },
      () => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n'),
    );
  };
}
