import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { LogStoreDownError } from '../logs/log-store.ts';
import type { Services } from '../services.ts';

/** For so long an answer of the log store stands: the page is open to everybody, and asking a cluster costs something. */
const freshMilliseconds = 5000;

/** `/healthz`: this process answers. `/readyz`: it can do its work, so send it traffic. */
export function serveHealth(app: FastifyInstance, { db, logStore }: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  const readDatabase = keepFor(0, () => settled(db.execute(sql`SELECT 1`)));
  const readLogs = keepFor(freshMilliseconds, () => settled(logStore.stats()));
  app.get('/readyz', async (request, reply) => {
    const [database, logs] = await Promise.all([readDatabase(), readLogs()]);
    // Without a log store of its own machine there are no charts, and everything else.
    const away = logs.status === 'rejected' && logs.reason instanceof LogStoreDownError;
    const ready = database.status === 'fulfilled' && (logs.status === 'fulfilled' || away);
    if (!ready) request.log.warn({ database: database.status, logs: logs.status }, 'not ready');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', database: database.status, logs: logs.status });
  });
}

async function settled(asked: PromiseLike<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([asked]);
  return result;
}

/** One question at a time, whose answer stands for a while. `read` never fails. */
function keepFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () => {
    kept ??= read().finally(() => {
      setTimeout(() => (kept = undefined), milliseconds).unref();
    });
    return kept;
  };
}
