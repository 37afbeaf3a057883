import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Keeps the bytes of a node's body beside what is parsed from them: the signature is over the bytes. */
export function keepRawBody(app: FastifyInstance): void {
  app.decorateRequest('rawBody', undefined);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.routeOptions.url?.startsWith('/node-api/')) return done(null, payload);
    const chunks: Buffer[] = [];
    const tap = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        chunks.push(chunk);
        next(null, chunk);
      },
      flush(next) {
        request.rawBody = Buffer.concat(chunks);
        next();
      },
    });
    payload.on('error', (error) => tap.destroy(error));
    done(null, payload.pipe(tap));
  });
}
