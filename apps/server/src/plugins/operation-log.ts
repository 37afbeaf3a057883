import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as schema from '../db/schema.ts';
import type { Services } from '../services.ts';
import { mask, maskQuery, textMax } from './operation-log-mask.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    unlogged?: boolean;
    raw?: boolean;
  }
  interface FastifyRequest {
    /** Whoever calls may make this call: a stranger's tries, however many, leave no rows. */
    permitted: boolean;
  }
}

/** Writes one row for every changing call of a person, before the answer leaves: who reads the answer finds the row. */
export function logOperations(app: FastifyInstance, services: Services): void {
  app.decorateRequest('permitted', false);
  app.addHook('onSend', async (request, reply, payload) => {
    const { config } = request.routeOptions;
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return payload;
    if (config.unlogged === true || !request.permitted) return payload;
    const { session } = request;
    // Who tries too often is kept from writing, too.
    if (!session && reply.statusCode === 429) return payload;
    const [path = '', query = ''] = request.url.split('?', 2);
    try {
      await services.db.insert(schema.operationLog).values({
        requestId: request.id,
        userType: session?.kind ?? 'unknown',
        userId: session?.id ?? null,
        userName: session?.name ?? '',
        program: session?.token?.name ?? '',
        ip: request.ip,
        method: request.method,
        path: path.slice(0, 500),
        status: reply.statusCode,
        query: clip(maskQuery(query)),
        requestBody: describe(bodyOf(request)),
        responseBody: describe(typeof payload === 'string' ? parse(payload) : undefined),
        durationMs: Math.round(reply.elapsedTime),
      });
    } catch (error) {
      request.log.error({ err: error }, 'the operation log could not be written');
    }
    return payload;
  });
}

const bodyOf = (request: FastifyRequest): unknown =>
  Buffer.isBuffer(request.body) ? undefined : request.body;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : clip((JSON.stringify(mask(value)) ?? '').replaceAll('\\u0000', ''));
}

const clip = (text: string): string => text.replaceAll('%00', '').slice(0, textMax);
