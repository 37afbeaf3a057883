import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { openApiDocument } from '@breakwater/contract/openapi';
import { openApiPage } from '@breakwater/contract/openapi-page';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import { randomBytes } from 'node:crypto';
import { answerChallenges } from './https/challenge.ts';
import { redirectToHttps } from './https/redirect.ts';
import { modules } from './modules/index.ts';
import { keepRawBody } from './modules/node-api/raw-body.ts';
import { answerClientError } from './plugins/client-error.ts';
import { isSibling, publicOrigins } from './plugins/console-origin.ts';
import { serveConsole } from './plugins/console-files.ts';
import { answerUnreadable, handleErrors } from './plugins/errors.ts';
import type { Implementation } from './plugins/implement.ts';
import { acceptJson } from './plugins/json-body.ts';
import { serveMetrics } from './plugins/metrics.ts';
import { mount } from './plugins/mount.ts';
import { logOperations } from './plugins/operation-log.ts';
import { serveHealth } from './plugins/ready.ts';
import type { Audience } from './plugins/session.ts';
import type { Services } from './services.ts';

/** One listener with everything that belongs on it: the admin port, or the user port with the node API. */
export async function buildListener(
  services: Services,
  audience: Audience,
  implementations: Implementation[] = modules,
): Promise<FastifyInstance> {
  const { config } = services;
  const loggerInstance: FastifyBaseLogger = services.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Ours alone: a caller's id would let strangers write into the logs.
    requestIdHeader: false,
    genReqId: () => randomBytes(16).toString('hex'),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => void answerUnreadable(request, reply),
  });
  handleErrors(app);
  logRequests(app);
  redirectToHttps(app, services.https);
  keepRawBody(app);
  acceptJson(app);
  acceptBytes(app);
  await app.register(
    cors,
    () => (request: FastifyRequest, done: CorsDone) =>
      done(null, corsOptions(services, request.headers.origin, request.hostname)),
  );
  logOperations(app, services);
  serveHealth(app, services);
  answerChallenges(app, services);
  if (audience === 'admin') {
    serveApiDescription(app);
    serveMetrics(app, services);
  }
  mount(app, services, audience, implementations);
  if (config.roles.includes(audience)) await serveConsole(app, services, audience);
  return app;
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const [path] = request.url.split('?', 1);
    const entry = {
      method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ip: request.ip,
    };
    if (reply.statusCode >= 500) request.log.error(entry, 'request');
    else request.log.debug(entry, 'request');
  });
}

function acceptBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/gzip', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

type CorsDone = (error: null, options: FastifyCorsOptions) => void;

/** The console of one listener calls the API of the other: same host, other port, or the public addresses. */
function corsOptions({ config }: Services, origin: string | undefined, hostname: string) {
  const allowed =
    origin !== undefined && (publicOrigins(config).includes(origin) || isSibling(config, origin, hostname));
  return {
    origin: allowed ? origin : false,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders,
    maxAge: 600,
  };
}

/** What a page of the other address may read of an answer: the name of a file. */
const exposedHeaders = ['content-disposition', 'retry-after'];

function serveApiDescription(app: FastifyInstance): void {
  app.get('/openapi.json', async () => openApiDocument());
  app.get('/openapi.zh.json', async () => openApiDocument('zh'));
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(openApiPage()));
}
