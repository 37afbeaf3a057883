import type { RuleAct } from '@breakwater/contract';
import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { nodeLineGroup, ruleNotice, site } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvents, type NewEvent } from '../../events/record-event.ts';
import { addEntries } from '../address-list/address-list.store.ts';

/** What rules did that reaches beyond their node, as nodes tell it: addresses go on lists, and notices become events. */

interface Reporter {
  id: number;
  name: string;
}

type ServedSites = ReadonlyMap<number, { clientId: number; name: string }>;

/** Taken is what is about sites of the node's line groups. Answers how much was new. */
export function recordRuleActs(db: Db, node: Reporter, told: readonly RuleAct[]): Promise<number> {
  return db.transaction(async (tx) => {
    const served = await servedSites(tx, node.id, told);
    const acts = told.filter(({ site_id: id }) => served.has(id));
    const notices = await tellOf(tx, served, acts, node);
    return notices + (await addEntries(tx, served, acts));
  });
}

async function servedSites(tx: Transaction, nodeId: number, told: readonly RuleAct[]): Promise<ServedSites> {
  const ids = [...new Set(told.map(({ site_id: id }) => id))];
  const rows = await tx
    .select({ id: site.id, clientId: site.clientId, name: sql<string | null>`${site.config}->'domains'->>0` })
    .from(site)
    .where(
      and(
        inArray(site.id, ids),
        sql`EXISTS (SELECT FROM ${nodeLineGroup} WHERE ${nodeLineGroup.nodeId} = ${nodeId}
          AND ${nodeLineGroup.lineGroupId} = ${site.lineGroupId})`,
      ),
    )
    .orderBy(site.id)
    .for('key share');
  return new Map(rows.map(({ id, clientId, name }) => [id, { clientId, name: name ?? '' }]));
}

/** `3` is the site's own, `global 2` a level's. */
const levelOf = (rule: string): string | undefined => (rule.includes(' ') ? rule.split(' ')[0] : undefined);

/** Each rule of a site once in the time that it says, whichever node sees it. What the platform's own rules tell is for the platform. */
async function tellOf(
  tx: Transaction,
  served: ServedSites,
  acts: readonly RuleAct[],
  node: Reporter,
): Promise<number> {
  const events: NewEvent[] = [];
  const notices = acts
    .filter(({ action }) => action === 'notify')
    .toSorted((one, other) => one.site_id - other.site_id || one.identity - other.identity);
  for (const act of notices) {
    if (!(await isDue(tx, act))) continue;
    const { clientId, name } = served.get(act.site_id)!;
    const level = levelOf(act.rule);
    events.push({
      kind: 'rule_matched',
      subject: { kind: 'site', id: act.site_id, name },
      clientId: level === undefined || level === 'client' ? clientId : null,
      actor: { kind: 'node', ...node },
      data: {
        facts: {
          decision: `matcher_rule ${act.rule}`,
          ...(act.note === '' ? {} : { note: act.note }),
          address: act.address,
          request_id: act.request_id,
        },
      },
    });
  }
  await recordEvents(tx, events);
  return events.length;
}

async function isDue(tx: Transaction, act: RuleAct): Promise<boolean> {
  const rule = `${levelOf(act.rule) ?? 'site'} ${act.identity}`;
  const rows = await rowsOf(
    tx,
    sql`INSERT INTO rule_notice AS n (site_id, rule, told_at) VALUES (${act.site_id}, ${rule}, now())
        ON CONFLICT (site_id, rule) DO UPDATE SET told_at = now()
        WHERE n.told_at <= now() - make_interval(secs => ${act.seconds}) RETURNING 1`,
  );
  return rows.length > 0;
}

/** Longer than any rule waits before it tells again. */
const keptDays = 14;

export async function pruneRuleNotices(db: Db): Promise<void> {
  await db.delete(ruleNotice).where(lt(ruleNotice.toldAt, sql`now() - make_interval(days => ${keptDays})`));
}
