import type { NodeCommandAnswer, NodeProbe } from '@breakwater/contract';
import { refreshTarget } from '@breakwater/contract';
import { and, eq, sql } from 'drizzle-orm';
import { invalid, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { site, siteRefresh } from '../../db/schema.ts';
import { askNode } from '../../delivery/commands.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';
import { sitesOfHosts } from './refresh-targets.ts';

const requestSeconds = 4;
const nodesMax = 200;

/** What each node serves now: asked twice through its own front, as a visitor asks. */
export async function probeRefresh(
  db: Db,
  scope: Scope,
  id: number,
  url: string,
): Promise<{ nodes: NodeProbe[] }> {
  const [row] = await db
    .select({ siteId: siteRefresh.siteId, at: siteRefresh.createdAt, lineGroupId: site.lineGroupId })
    .from(siteRefresh)
    .innerJoin(site, eq(site.id, siteRefresh.siteId))
    .where(and(eq(siteRefresh.id, id), owned(siteRefresh, scope)));
  if (!row) throw notFound();
  const { host } = refreshTarget(url)!;
  const { siteId } = row;
  if ((await sitesOfHosts(db, scope, [host])).get(host) !== siteId) throw invalid('url', 'refresh_host');
  const nodes = await rowsOf<{ id: number; name: string }>(
    db,
    sql`SELECT n.id, n.name FROM node n JOIN node_line_group l ON l.node_id = n.id
        WHERE l.line_group_id = ${row.lineGroupId} AND n.enabled ORDER BY n.name LIMIT ${nodesMax}`,
  );
  return { nodes: await Promise.all(nodes.map((node) => probeNode(db, node, url, row.at))) };
}

async function probeNode(
  db: Db,
  { id, name }: { id: number; name: string },
  url: string,
  refreshedAt: Date,
): Promise<NodeProbe> {
  const request = { url, accept_encoding: 'br, gzip' };
  const answer = await askNode(db, id, 'visit', {
    requests: [request, request],
    concurrency: 1,
    interval_milliseconds: 0,
    seconds: requestSeconds,
    timeout_seconds: requestSeconds,
  });
  const answers = (answer?.results ?? []).toSorted((one, other) => one.index - other.index);
  const sinceSeconds = (Date.now() - refreshedAt.getTime()) / 1000;
  return {
    node_id: id,
    node_name: name,
    answers: answers.map(({ status, cache, age_seconds, milliseconds }) => ({
      status,
      cache,
      age_seconds,
      milliseconds,
    })),
    fresh: isFresh(answers[0], sinceSeconds),
  };
}

/** What the node had to fetch is new; what it had stored is, if it is younger than the refresh. */
function isFresh(
  first: NodeCommandAnswer<'visit'>['results'][number] | undefined,
  sinceSeconds: number,
): boolean | null {
  if (!first || first.status === null) return null;
  if (first.cache === 'MISS') return true;
  if (first.cache !== 'HIT' || first.age_seconds === null) return null;
  return first.age_seconds <= Math.ceil(sinceSeconds);
}
