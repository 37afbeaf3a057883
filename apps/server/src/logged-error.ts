import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type SerializedError } from 'pino';

/**
 * An error as the log shows it. Of a failed query that is its text and what PostgreSQL said: its parameters, which
 * drizzle writes into message and stack, may be secrets.
 */
export function loggedError(error: Error): SerializedError | { query: string } {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof DrizzleQueryError) {
      const said = pino.stdSerializers.err(at.cause ?? new Error('failed query'));
      const places = at.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? [];
      return { ...said, query: at.query, stack: [said.message, ...places].join('\n') };
    }
  return pino.stdSerializers.err(error);
}
