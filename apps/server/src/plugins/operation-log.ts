import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as schema from '../db/schema.ts';
import type { Services } from '../services.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    unlogged?: boolean;
    raw?: boolean;
  }
}

const textMax = 4096;
const secretKey = /password|secret|token|private_key|api_key|credential/i;

/** Writes one row for every changing call of a person, before the answer leaves: who reads the answer finds the row. */
export function logOperations(app: FastifyInstance, services: Services): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { config } = request.routeOptions;
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return payload;
    if (config.unlogged === true || !request.url.startsWith('/prod-api/')) return payload;
    const { session } = request;
    const [path = '', query = ''] = request.url.split('?', 2);
    try {
      await services.db.insert(schema.operationLog).values({
        requestId: request.id,
        userType: session?.kind ?? 'unknown',
        userId: session?.id ?? null,
        userName: session?.name ?? '',
        ip: request.ip,
        method: request.method,
        path: path.slice(0, 500),
        status: reply.statusCode,
        query: maskQuery(query),
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
    : (JSON.stringify(mask(value)) ?? '').replaceAll('\\u0000', '').slice(0, textMax);
}

/** No input that is taken has more levels; what is refused may have any number. */
const levelsMax = 40;

/** A copy in which the value of every key that names a secret is `***`, and what is nested too deeply `…`. */
export function mask(value: unknown, level = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level === levelsMax) return '…';
  if (Array.isArray(value)) return value.map((item) => mask(item, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) && item !== null ? '***' : mask(item, level + 1),
    ]),
  );
}

function maskQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const key of new Set(params.keys())) if (secretKey.test(key)) params.set(key, '***');
  return params.toString().replaceAll('%00', '').slice(0, textMax);
}
