import { fieldNamesOf, routes } from '@breakwater/contract';
import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type DestinationStream, type Logger } from 'pino';

/** The log of the server, which holds no secrets: neither under the names that the contract marks, nor in addresses. */
export function openLog(level: string, stream: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    formatters: { log: (entry: object) => masked(entry) as Record<string, unknown> },
    serializers: { err: (error: Error) => masked(loggedError(error)) },
  };
  return pino(options, stream);
}

/** Letter case and separators are the code's own: `app_secret` is logged as `appSecret`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

const secretNames = new Set(
  [...fieldNamesOf(Object.values(routes)).secret, 'authorization', 'cookie', 'set-cookie'].map(plain),
);
const levelsMax = 8;

/** A copy in which `***` stands for secrets. Errors are left to their serializer. */
function masked(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return value.replaceAll(/:\/\/[^\s/@]+@/g, '://***@');
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (level === levelsMax) return '…';
  if (Array.isArray(value)) return value.map((item) => masked(item, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretNames.has(plain(name)) ? '***' : masked(item, level + 1),
    ]),
  );
}

/** Of a failed query its text and what PostgreSQL said: its parameters, which drizzle writes into message and stack, may be secrets. */
function loggedError(error: Error): object {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof DrizzleQueryError) {
      const said = pino.stdSerializers.err(at.cause ?? new Error('failed query'));
      const places = at.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? [];
      return { ...said, query: at.query, stack: [said.message, ...places].join('\n') };
    }
  return pino.stdSerializers.err(error);
}
