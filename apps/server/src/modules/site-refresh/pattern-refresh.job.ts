import { createHash } from 'node:crypto';
import { refreshPatternUrlsMax } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { siteRefreshFound, siteRefreshPattern, type ListingNode } from '../../db/schema.ts';
import { askNode } from '../../delivery/commands.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import { defineJob, doubling, Later } from '../../jobs/define-job.ts';
import { everything } from '../../scope.ts';
import { readPattern } from './pattern-refresh.service.ts';
import { sitesOfHosts } from './refresh-targets.ts';
import { refreshFound } from './site-refresh.service.ts';

/** A run is a step of so long on all nodes; then others get their turn, and whoever stops it does not wait. */
const stepSeconds = 2;
const answerMilliseconds = 20_000;
/** A node that restarts is back by then. */
const missesMax = 6;
const missSeconds = 5;

type Pattern = NonNullable<Awaited<ReturnType<typeof readPattern>>>;

/** Nodes list what they have, and what is found is refreshed on all of them, so many URLs a second. */
export const patternRefreshJob = defineJob({
  kind: 'site_refresh_pattern',
  attempts: 3,
  backoffSeconds: doubling(60),
  timeoutSeconds: 120,
  run: async ({ services: { db }, operation, report }) => {
    const pattern = await readPattern(db, operation.subjectId!);
    if (!pattern) return { state: 'unchanged' };
    const isOpen = ({ after, misses }: ListingNode) => after !== null && misses < missesMax;
    const began = performance.now();
    const open = pattern.nodes.filter(isOpen);
    const answers = await Promise.all(open.map((node) => list(db, pattern, node, open.length)));
    const nodes = pattern.nodes.map(
      (node) => answers.find(({ after }) => after.id === node.id)?.after ?? node,
    );
    const urls = answers.flatMap((answer) => answer.urls);
    const added = await db.transaction((tx) => take(tx, pattern, nodes, urls));
    if (added === 'full') return giveUp(db, pattern, 'refresh_too_many');
    await report(Math.floor(100 * nodes.reduce((sum, { share }) => sum + share, 0)));
    if (nodes.some(isOpen)) {
      const wait = answers.some(({ after }) => after.misses > 0) ? missSeconds : added / pattern.rate;
      throw new Later(Math.max(0, wait - (performance.now() - began) / 1000));
    }
    if (nodes.some(({ after }) => after !== null))
      return giveUp(db, { ...pattern, nodes }, 'refresh_nodes_away');
    await db.delete(siteRefreshFound).where(eq(siteRefreshFound.patternId, pattern.id));
    return { state: 'done' };
  },
  permission: async () => 'site.refresh',
});

async function list(db: Db, { siteId, pattern, rate }: Pattern, node: ListingNode, nodes: number) {
  const asked = {
    site_id: siteId,
    pattern,
    after: node.after!,
    seconds: stepSeconds,
    most: Math.max(1, Math.floor((rate * stepSeconds) / nodes)),
  };
  const answer = await askNode(db, node.id, 'list_stored', asked, answerMilliseconds);
  if (!answer) return { urls: [], after: { ...node, misses: node.misses + 1 } };
  const { urls, after, share } = answer;
  return { urls, after: { ...node, after, share, misses: 0 } };
}

/** How many were new; `full`: there are more than one may find. */
async function take(
  tx: Transaction,
  pattern: Pattern,
  nodes: ListingNode[],
  urls: readonly string[],
): Promise<number | 'full'> {
  const { id, found, mode } = pattern;
  const own = await ownUrls(tx, pattern, urls);
  const digests = own.map((url) => createHash('sha256').update(url).digest('base64url'));
  const rows = await rowsOf<{ digest: string }>(
    tx,
    sql`INSERT INTO site_refresh_found (pattern_id, digest) SELECT ${id}, d FROM unnest(${texts(digests)}) d
        ON CONFLICT DO NOTHING RETURNING digest`,
  );
  const isNew = new Set(rows.map(({ digest }) => digest));
  const fresh = own.filter((_, index) => isNew.has(digests[index]!));
  if (found + fresh.length > refreshPatternUrlsMax) return 'full';
  await tx
    .update(siteRefreshPattern)
    .set({ nodes, found: found + fresh.length })
    .where(eq(siteRefreshPattern.id, id));
  if (fresh.length > 0) await refreshFound(tx, mode, fresh, pattern);
  return fresh.length;
}

/** What hosts of other sites have by now is left alone. */
async function ownUrls(tx: Transaction, { siteId }: Pattern, urls: readonly string[]): Promise<string[]> {
  const known = [...new Set(urls)].filter((url) => URL.canParse(url));
  const siteOf = await sitesOfHosts(tx, everything, [...new Set(known.map((url) => new URL(url).hostname))]);
  return known.filter((url) => siteOf.get(new URL(url).hostname) === siteId);
}

/** What is left is done by the task when it is begun again. */
async function giveUp(
  db: Db,
  { id, nodes }: Pattern,
  why: 'refresh_too_many' | 'refresh_nodes_away',
): Promise<never> {
  const waiting = nodes.map((node) => ({ ...node, misses: 0 }));
  await db.transaction(async (tx) => {
    await tx.delete(siteRefreshFound).where(eq(siteRefreshFound.patternId, id));
    await tx
      .update(siteRefreshPattern)
      .set({ nodes: waiting, found: 0 })
      .where(eq(siteRefreshPattern.id, id));
  });
  throw new ApiError(why);
}
