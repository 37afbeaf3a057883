import {
  allows,
  answerTypesOf,
  costOf,
  takesIdempotencyKey,
  type Access,
  type FileAnswer,
  type Language,
  type RouteSpec,
} from '@breakwater/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import {
  acceptCallbacks,
  answerCallback,
  callbackBodyOf,
  type ProvenCallback,
} from '../callbacks/callback.ts';
import { identifyNode, verifyNode } from '../delivery/node-signature.ts';
import { onceByKey } from '../modules/idempotency/idempotency.service.ts';
import { withIpData } from '../modules/ip-data/ip-data.service.ts';
import type { ServerRole } from '../config.ts';
import type { Services } from '../services.ts';
import { sendFile } from './downloads.ts';
import type { Implementation, NodeIdentity } from './implement.ts';
import { countedAccountOf, holderOf, readSession, scopeOf, type Audience, type Session } from './session.ts';
import { acceptForms, readUpload } from './uploads.ts';
import { declared, parseInput } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Set once somebody has proved who they are; the operation log reads it. */
    session: Session | undefined;
  }
}

const bodyBytesMax = 64 * 1024;

export const languageOf = (request: FastifyRequest): Language =>
  /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'zh';

/** Mounts what belongs on this listener: guard, parse, handle, parse the answer, wrap it. */
export function mount(
  app: FastifyInstance,
  services: Services,
  audience: Audience,
  modules: Implementation[],
): void {
  app.decorateRequest('session', undefined);
  const mounted = modules.flatMap(({ routes, handlers }) =>
    Object.entries(routes).flatMap(([name, spec]) =>
      belongsOn(spec.access, audience) && services.config.roles.includes(roleFor(spec.access, audience))
        ? [{ spec, handler: handlers[name] as Handler }]
        : [],
    ),
  );
  const mountAll = (into: FastifyInstance, bodies: Bodies) => {
    for (const { spec, handler } of mounted)
      if (bodiesOf(spec) === bodies) mountRoute(into, services, audience, spec, handler);
  };
  mountAll(app, 'usual');
  // Each reads bodies that the others do not.
  void app.register(async (forms) => {
    await acceptForms(forms);
    mountAll(forms, 'form');
  });
  void app.register(async (callbacks) => {
    acceptCallbacks(callbacks);
    mountAll(callbacks, 'callback');
  });
}

type Bodies = 'usual' | 'form' | 'callback';
function bodiesOf({ transport, body }: RouteSpec): Bodies {
  if (transport === 'callback') return 'callback';
  return transport === 'file' && body !== undefined ? 'form' : 'usual';
}

type Handler = (context: Record<string, unknown>) => Promise<unknown>;

export function belongsOn(access: Access, audience: Audience): boolean {
  if (access.kind === 'both' || access.kind === 'signed_in') return true;
  if (access.kind === 'public') return access.on === 'both' || access.on === audience;
  return audience === (access.kind === 'admin' ? 'admin' : 'user');
}

/** The role of a process that answers a call: customers' and nodes' calls come in at one port. */
const roleFor = ({ kind }: Access, audience: Audience): ServerRole => (kind === 'node' ? 'node' : audience);

function mountRoute(
  app: FastifyInstance,
  services: Services,
  audience: Audience,
  spec: RouteSpec,
  handler: Handler,
) {
  app.route({
    method: spec.method,
    url: spec.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: spec.bodyBytesMax ?? bodyBytesMax,
    config: {
      access: spec.access,
      unlogged: spec.unlogged ?? spec.access.kind === 'node',
      raw: spec.transport === 'raw',
    },
    // The caller is known before the body is read: a stranger cannot make the server parse anything. The signature of
    // a node is over the body, so that all else it says of itself is looked at first.
    onRequest: async (request) => {
      if (spec.access.kind === 'node') await identifyNode(services, request);
      else await guard(services, audience, spec, request);
      request.permitted = spec.access.kind !== 'public';
    },
    handler: async (request, reply) => {
      const node = spec.access.kind === 'node' ? await verifyNode(services, request) : undefined;
      const upload =
        bodiesOf(spec) === 'form'
          ? await readUpload(services.config, request, spec.body!, spec.bodyBytesMax ?? bodyBytesMax)
          : undefined;
      try {
        const body = upload ? upload.body : request.body;
        const context = buildContext(services, spec, { request, reply, node, body });
        request.permitted = spec.transport !== 'callback';
        const handled = () => withIpData(services, () => handler(context));
        return await answerOf(services, spec, { request, reply, handled });
      } finally {
        await upload?.close();
      }
    },
  });
}

interface Answering {
  request: FastifyRequest;
  reply: FastifyReply;
  handled: () => Promise<unknown>;
}

async function answerOf(services: Services, spec: RouteSpec, { request, reply, handled }: Answering) {
  if (spec.transport === 'stream') {
    await handled();
    return reply;
  }
  if (spec.transport === 'callback') {
    const proven = (await handled()) as ProvenCallback;
    // Whoever sends them by the thousand leaves no rows; one that is proven leaves one.
    request.permitted = true;
    return answerCallback(services.db, request, reply, proven);
  }
  if (answerTypesOf(spec.response)) return sendFile(reply, (await handled()) as FileAnswer);
  const answer = async () => ({ code: 0, message: 'ok', data: declared(spec.response, await handled()) });
  const { session } = request;
  if (!session || !takesIdempotencyKey(spec)) return answer();
  return onceByKey(services, `${session.kind}:${session.id}`, request, answer);
}

async function guard(
  services: Services,
  audience: Audience,
  spec: RouteSpec,
  request: FastifyRequest,
): Promise<void> {
  const { access } = spec;
  if (access.kind === 'public' || access.kind === 'node') return;
  const session = await readSession(services, audience, request);
  request.session = session;
  await services.limits.take(countedAccountOf(session), costOf(spec));
  if (!allows(access, holderOf(session))) throw new ApiError('forbidden');
}

interface Arrived {
  request: FastifyRequest;
  reply: FastifyReply;
  node: NodeIdentity | undefined;
  body: unknown;
}

function buildContext(
  services: Services,
  spec: RouteSpec,
  { request, reply, node, body }: Arrived,
): Record<string, unknown> {
  const context: Record<string, unknown> = { services, language: languageOf(request), request, reply };
  if (spec.params) context.params = parseInput(spec.params, request.params);
  if (spec.query) context.query = parseInput(spec.query, request.query);
  if (spec.body) context.body = parseInput(spec.body, body);
  if (spec.transport === 'callback') context.callback = callbackBodyOf(request);
  if (request.session) {
    context.session = request.session;
    context.scope = scopeOf(request.session);
  }
  if (node) context.node = node;
  return context;
}
