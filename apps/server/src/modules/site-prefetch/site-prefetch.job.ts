import type { NodeCommandAnswer } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { askNode } from '../../delivery/commands.ts';
import type { Db } from '../../db/database.ts';
import { defineJob, doubling, Later, type ItemWork } from '../../jobs/define-job.ts';
import { addFound } from './prefetch-found.ts';
import {
  dueRequests,
  giveUpNode,
  isAnythingDue,
  noteAnswer,
  storeResults,
  variantOf,
  type Due,
  type Prefetch,
  type Result,
} from './prefetch-requests.ts';
import { nodesOf, readProgress, readPrefetch } from './site-prefetch.store.ts';

/** A run is a step of a few seconds on all nodes; then others get their turn, and whoever stops it does not wait. */
const stepSeconds = 2;
const requestsOfStep = 100;
/** After which a node begins no request of a step any more, whatever its origin takes. */
const beginSeconds = 5;
const requestSeconds = 60;
const answerMilliseconds = (beginSeconds + requestSeconds + 5) * 1000;
/** A node that restarts is back by then. */
const missesMax = 6;
const missSeconds = 5;

export const sitePrefetchJob = defineJob({
  kind: 'site_prefetch',
  attempts: 3,
  backoffSeconds: doubling(60),
  timeoutSeconds: 300,
  run: async (work) => {
    const { db } = work.services;
    const prefetch = await readPrefetch(db, work.operation.subjectId!);
    if (!prefetch) return { state: 'unchanged' };
    const began = performance.now();
    const nodes = await nodesOf(db, prefetch.id);
    const rate = prefetch.rate / Math.max(1, nodes.length);
    const waits = await Promise.all(nodes.map((nodeId) => step(db, prefetch, nodeId, rate)));
    await tellProgress(work, prefetch);
    if (!(await isAnythingDue(db, prefetch))) return { state: 'done' };
    throw new Later(Math.max(0, Math.max(...waits) - (performance.now() - began) / 1000));
  },
  permission: async () => 'site.refresh',
});

/** What is found makes it more. */
async function tellProgress({ services, operation, report }: ItemWork, { id }: Prefetch): Promise<void> {
  const { done, total } = await readProgress(services.db, id);
  if (total !== operation.total)
    await services.db.execute(sql`UPDATE operation SET total = ${total} WHERE id = ${operation.id}`);
  await report(done);
}

/** Seconds from its beginning until the next one. */
async function step(db: Db, prefetch: Prefetch, nodeId: number, rate: number): Promise<number> {
  const most = Math.min(requestsOfStep, Math.max(1, Math.floor(rate * stepSeconds)));
  const due = await dueRequests(db, prefetch, nodeId, most);
  if (due.length === 0) return 0;
  const answer = await askNode(
    db,
    nodeId,
    'visit',
    {
      requests: due.map((one) => requestOf(prefetch, one)),
      concurrency: prefetch.concurrency,
      interval_milliseconds: 1000 / rate,
      seconds: beginSeconds,
      timeout_seconds: requestSeconds,
    },
    answerMilliseconds,
  );
  if (!answer) {
    const misses = await noteAnswer(db, prefetch.id, nodeId, false);
    if (misses >= missesMax) await db.transaction((tx) => giveUpNode(tx, prefetch, nodeId));
    return missSeconds;
  }
  await store(db, prefetch, { nodeId, due, answer });
  return answer.results.length / rate;
}

function requestOf(prefetch: Prefetch, { url, follow, variant }: Due) {
  const { encoding, language } = variantOf(prefetch, variant);
  return {
    url,
    // Whoever takes nothing compressed says nothing of it: browsers all do, and `curl` sends no field.
    ...(encoding === 'identity' ? {} : { accept_encoding: encoding }),
    ...(language === undefined ? {} : { accept_language: language }),
    ...(follow === null ? {} : { follow }),
  };
}

interface Answered {
  nodeId: number;
  due: readonly Due[];
  answer: NodeCommandAnswer<'visit'>;
}

async function store(db: Db, prefetch: Prefetch, { nodeId, due, answer }: Answered): Promise<void> {
  const results = answer.results.flatMap(({ index, status, bytes, milliseconds, cache, error }): Result[] => {
    const asked = due[index];
    if (!asked) return [];
    const { url_id, variant } = asked;
    return [{ url_id, variant, status, bytes, milliseconds, cache, error }];
  });
  await db.transaction(async (tx) => {
    await addFound(
      tx,
      prefetch,
      answer.results.flatMap(({ links }) => links ?? []),
    );
    await noteAnswer(tx, prefetch.id, nodeId, true);
    await storeResults(tx, prefetch, nodeId, results);
  });
}
