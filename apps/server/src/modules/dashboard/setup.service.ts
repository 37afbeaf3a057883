import type { SetupStep } from '@breakwater/contract';
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { node, nodeLineGroup, site, siteDomain } from '../../db/schema.ts';
import type { Session } from '../../plugins/session.ts';
import { owned, seesAll, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readNodeHealth } from '../node/node.store.ts';
import { listSites } from '../site/site.store.ts';

const hourMs = 3_600_000;

/** What the steps from nothing to the first request have come to, by what is stored and not by what was clicked. */
export async function readSetup(
  { db, logStore }: Pick<Services, 'db' | 'logStore'>,
  scope: Scope,
  { permissions }: Pick<Session, 'permissions'>,
) {
  const steps: { id: SetupStep; done: boolean }[] = [];
  if (seesAll(scope) && permissions.has('node.read'))
    steps.push({ id: 'node', done: (await readNodeHealth(db, 0)).normal > 0 });
  if (seesAll(scope) && permissions.has('line_group.read'))
    steps.push({ id: 'line_group', done: await hasServingGroup(db) });
  if (!permissions.has('site.read')) return { steps, site: null };
  const page = { current_page: 1, page_size: 1, sort_by: 'id', sort_order: 'asc' } as const;
  const first = (await listSites(db, scope, page)).list[0];
  const domains = await readDomains(db, scope);
  steps.push(
    { id: 'site', done: first !== undefined },
    { id: 'domain', done: domains.proven },
    { id: 'dns', done: domains.pointed },
  );
  if (permissions.has('statistics.read')) {
    const range = first && rangeSince(first.created_at);
    const requests = range ? (await logStore.summary(scope, 'cdn', range)).requests : 0;
    steps.push({ id: 'request', done: requests > 0 });
  }
  return {
    steps,
    site: first ? { id: first.id, domain: first.domains[0] ?? '', cname: first.cname } : null,
  };
}

/** From the hour in which something was made: figures are kept by the hour once they are old. */
function rangeSince(made: string) {
  const start = Math.floor(Date.parse(made) / hourMs) * hourMs;
  return { start_time: new Date(start).toISOString(), end_time: new Date().toISOString() };
}

async function hasServingGroup(db: Db): Promise<boolean> {
  const bound = await db
    .select({ id: node.id })
    .from(nodeLineGroup)
    .innerJoin(node, eq(node.id, nodeLineGroup.nodeId))
    .where(eq(node.enabled, true))
    .limit(1);
  return bound.length > 0;
}

/** Whether one of the domains is proven, and whether the DNS leads visitors of one here. */
async function readDomains(db: Db, scope: Scope) {
  const some = async (...conditions: Parameters<typeof and>) =>
    (
      await db
        .select({ id: site.id })
        .from(siteDomain)
        .innerJoin(site, eq(site.id, siteDomain.siteId))
        .where(and(owned(site, scope), ...conditions))
        .limit(1)
    ).length > 0;
  const [proven, pointed] = await Promise.all([
    some(eq(siteDomain.proof, 'given')),
    some(inArray(siteDomain.verdict, ['cname', 'address'])),
  ]);
  return { proven, pointed };
}
