import type { FastifyInstance } from 'fastify';
import type { PlatformHttps } from './platform-https.ts';

/** Plain to everybody: nodes sign what they say, and were given an address that may be one of HTTP. */
const plainPaths = /^\/(?:node-api\/|healthz$|readyz$|\.well-known\/acme-challenge\/)/;

/** Sends requests over HTTP to HTTPS on the same port. The machine itself is answered: a certificate that is wrong locks nobody out there. */
export function redirectToHttps(app: FastifyInstance, https: Pick<PlatformHttps, 'redirects'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!https.redirects || request.protocol === 'https' || isLoopback(request.ip)) return undefined;
    const [path = ''] = request.url.split('?', 1);
    // The target of a request may be a whole address (RFC 9112 §3.2.2), which is not sent on.
    if (!path.startsWith('/') || plainPaths.test(path) || request.host === '') return undefined;
    return reply.redirect(`https://${request.host}${request.url}`, 308);
  });
}

const isLoopback = (ip: string): boolean => ip === '::1' || /^(?:::ffff:)?127\./.test(ip);
