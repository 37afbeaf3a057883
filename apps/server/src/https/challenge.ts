import { normalizeHost } from '@breakwater/policy/http/host';
import type { FastifyInstance } from 'fastify';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { ownAnswer } from '../modules/certificate-order/certificate-order.service.ts';
import type { Services } from '../services.ts';

/**
 * What authorities ask of the names of the control plane itself (http-01, RFC 8555 §8.3). They ask port 80, which is `HTTP_PORT`
 * here, or whatever sends on to one of the other ports.
 */

const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{16,200})$/;
const hostPattern = /^[\w.-]{1,253}$|^\[[\da-f:]+\]$/;

type Needed = Pick<Services, 'db' | 'log' | 'https' | 'config'>;

/** On the ports of the consoles. */
export function answerChallenges(app: FastifyInstance, { db }: Pick<Services, 'db'>): void {
  app.get('/.well-known/acme-challenge/:token', async (request, reply) => {
    const [, token] = challengePath.exec(request.url) ?? [];
    const found = token && (await ownAnswer(db, normalizeHost(request.host), token));
    return found ? reply.type('text/plain').send(found) : reply.callNotFound();
  });
}

/** A port for them alone: everything else is sent on to HTTPS, where there is one. */
export function makeHttpPort(services: Needed): Server {
  return createServer((request, response) => {
    answer(services, request, response).catch((err: unknown) => {
      services.log.error({ err }, 'HTTP_PORT');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function answer(
  { db, https, config }: Needed,
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const host = normalizeHost(headers.host ?? '');
  const [, token] = challengePath.exec(url) ?? [];
  const found = token && (await ownAnswer(db, host, token));
  if (found) return void response.writeHead(200, { 'content-type': 'text/plain' }).end(found);
  // The target of a request may be a whole address (RFC 9112 §3.2.2), which is not sent on.
  const isSentOn = https.context !== undefined && url.startsWith('/') && hostPattern.test(host);
  if (token || !isSentOn) return void response.writeHead(404).end();
  response.writeHead(308, { location: originFor(config, host) + url }).end();
}

/** The console that is reached by this name: as it is published, else the customers'. */
function originFor({ publicAdminUrl, publicUserUrl, userPort }: Config, host: string): string {
  const published = [publicAdminUrl, publicUserUrl]
    .flatMap((text) => (text ? [new URL(text)] : []))
    .find(({ hostname, protocol }) => hostname === host && protocol === 'https:');
  return published?.origin ?? `https://${host}:${userPort}`;
}
