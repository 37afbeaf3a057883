import { allows, type Access, type Language, type RouteSpec } from '@breakwater/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ApiError } from '../api-error.ts';
import { identifyNode, verifyNode } from '../delivery/node-signature.ts';
import { withIpData } from '../modules/ip-data/ip-data.service.ts';
import type { Services } from '../services.ts';
import type { Implementation, NodeIdentity } from './implement.ts';
import { holderOf, readSession, scopeOf, type Audience, type Session } from './session.ts';
import { parseInput } from './validation.ts';

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
  for (const { routes, handlers } of modules)
    for (const [name, spec] of Object.entries(routes))
      if (belongsOn(spec.access, audience))
        mountRoute(app, services, audience, spec, handlers[name] as Handler);
}

type Handler = (context: Record<string, unknown>) => Promise<unknown>;

export function belongsOn(access: Access, audience: Audience): boolean {
  if (access.kind === 'both' || access.kind === 'signed_in') return true;
  if (access.kind === 'public') return access.on === 'both' || access.on === audience;
  return audience === (access.kind === 'admin' ? 'admin' : 'user');
}

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
      else await guard(services, audience, spec.access, request);
      request.permitted = spec.access.kind !== 'public';
    },
    handler: async (request, reply) => {
      const node = spec.access.kind === 'node' ? await verifyNode(services, request) : undefined;
      const context = buildContext(services, spec, request, reply, node);
      request.permitted = true;
      const data = await withIpData(services, () => handler(context));
      if (spec.transport === 'stream') return reply;
      return { code: 0, message: 'ok', data: declared(spec.response, data) };
    },
  });
}

async function guard(
  services: Services,
  audience: Audience,
  access: Access,
  request: FastifyRequest,
): Promise<void> {
  if (access.kind === 'public' || access.kind === 'node') return;
  const session = await readSession(services, audience, request);
  request.session = session;
  if (!allows(access, holderOf(session))) throw new ApiError('forbidden');
}

function buildContext(
  services: Services,
  spec: RouteSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  node: NodeIdentity | undefined,
): Record<string, unknown> {
  const context: Record<string, unknown> = { services, language: languageOf(request), request, reply };
  if (spec.params) context.params = parseInput(spec.params, request.params);
  if (spec.query) context.query = parseInput(spec.query, request.query);
  if (spec.body) context.body = parseInput(spec.body, request.body);
  if (request.session) {
    context.session = request.session;
    context.scope = scopeOf(request.session);
  }
  if (node) context.node = node;
  return context;
}

/**
 * What the response declares, and nothing else. What was stored under looser rules than today's is given all the same, so
 * that it can be seen and mended: its shape is held, the checks of its values are not.
 */
function declared(schema: z.core.$ZodType, data: unknown): unknown {
  const strict = z.safeParse(schema, data);
  if (strict.success) return strict.data;
  return z.parse(schema, data, { skipChecks: true } as z.core.ParseContext<z.core.$ZodIssue>);
}
