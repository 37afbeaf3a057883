import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Keeps the bytes of a node's body beside what is parsed from them: the signature is over the bytes. */
export function keepRawBody(app: FastifyInstance): void {
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('signer', undefined);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.routeOptions.url?.startsWith('/node-api/')) return done(null, payload);
    const { bodyLimit } = request.routeOptions;
    const chunks: Buffer[] = [];
    let size = 0;
    const tap = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        size += chunk.length;
        // What is over the limit is refused by the parser of the body, and goes on arriving.
        if (size <= bodyLimit) chunks.push(chunk);
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
