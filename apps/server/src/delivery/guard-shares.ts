import { guardSharesMax, integerMax, nodeSilentSeconds, type GuardShare } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { notifyShares } from './notifications.ts';
import { integers, rowsOf, type Queryable } from './queryable.ts';

/**
 * What nodes of a line group counted for CC guard, added up at each server process: docs/decisions/0033. Nothing of it is stored; what a process
 * does not know is less than there was.
 */

/** Of one line group; what was told longest ago goes. */
const heldMax = 5000;

interface Told {
  nodeId: number;
  lineGroupId: number;
  shares: readonly GuardShare[];
}

/** Somebody in one bucket. */
class Sum {
  readonly #of: Omit<GuardShare, 'count'>;
  readonly #threshold: number;
  readonly #counts = new Map<number, number>();
  #total = 0;
  /** Milliseconds since 1970: until then it may count. */
  readonly until: number;

  constructor({ count: _count, ...of }: GuardShare, now: number) {
    this.#of = of;
    const [, requests, seconds] = /(\d+)\/(\d+)/.exec(of.name)!;
    this.#threshold = Number(requests);
    this.until = now + (Number(seconds) * 2 + 1) * 1000;
  }

  /** Whether that is more than the node said before: a count only grows. */
  add(nodeId: number, count: number): boolean {
    const more = count - (this.#counts.get(nodeId) ?? 0);
    if (more <= 0) return false;
    this.#counts.set(nodeId, count);
    this.#total += more;
    return true;
  }

  get part(): number {
    return this.#total / this.#threshold;
  }

  /** What the others counted. */
  toldTo(nodeId: number): GuardShare[] {
    const count = this.#total - (this.#counts.get(nodeId) ?? 0);
    return count > 0 ? [{ ...this.#of, count: Math.min(count, integerMax) }] : [];
  }
}

export class GuardShares {
  readonly #groups = new Map<number, { held: Map<string, Sum>; changed: Set<Sum> }>();

  add({ nodeId, lineGroupId, shares }: Told, now = Date.now()): void {
    const group = this.#groups.get(lineGroupId) ?? { held: new Map<string, Sum>(), changed: new Set<Sum>() };
    this.#groups.set(lineGroupId, group);
    for (const share of shares) {
      const key = `${share.site_id} ${share.bucket} ${share.name}`;
      const sum = group.held.get(key) ?? new Sum(share, now);
      // The last one is the one that was told of last.
      group.held.delete(key);
      group.held.set(key, sum);
      if (sum.add(nodeId, share.count)) group.changed.add(sum);
    }
    for (const [key, sum] of group.held) {
      if (group.held.size <= heldMax && sum.until > now) break;
      group.held.delete(key);
      group.changed.delete(sum);
    }
  }

  get hasChanged(): boolean {
    return [...this.#groups.values()].some(({ changed }) => changed.size > 0);
  }

  /** By line group what changed since, as much as one message holds. */
  takeChanged(): Map<number, Sum[]> {
    const taken = new Map<number, Sum[]>();
    for (const [lineGroupId, { changed }] of this.#groups) {
      if (changed.size === 0) continue;
      const some = heaviest(changed);
      for (const sum of some) changed.delete(sum);
      taken.set(lineGroupId, some);
    }
    return taken;
  }

  /** What a node is to know that has just come. */
  heldFor(nodeId: number, lineGroupIds: Iterable<number>): GuardShare[][] {
    const messages: GuardShare[][] = [];
    for (const id of lineGroupIds) {
      const held = this.#groups.get(id)?.held.values() ?? [];
      messages.push(heaviest(held).flatMap((sum) => sum.toldTo(nodeId)));
    }
    return messages.filter(({ length }) => length > 0);
  }
}

/** As many as one message holds: who used up most of a threshold first. */
const heaviest = (sums: Iterable<Sum>): Sum[] =>
  [...sums].toSorted((one, other) => other.part - one.part).slice(0, guardSharesMax);

/** Taken is what is about sites of the node's line groups. Answers how much that was. */
export async function passOnShares(
  database: Queryable,
  nodeId: number,
  shares: readonly GuardShare[],
): Promise<number> {
  const ids = [...new Set(shares.map(({ site_id: id }) => id))];
  const rows = await rowsOf<{ id: number; line_group_id: number }>(
    database,
    sql`SELECT s.id, s.line_group_id FROM site s JOIN node_line_group l ON l.line_group_id = s.line_group_id
        WHERE l.node_id = ${nodeId} AND s.id = ANY(${integers(ids)})`,
  );
  const groupOf = new Map(rows.map(({ id, line_group_id }) => [id, line_group_id]));
  const byGroup = Map.groupBy(shares, ({ site_id: id }) => groupOf.get(id));
  let taken = 0;
  for (const [lineGroupId, some] of byGroup) {
    if (lineGroupId === undefined) continue;
    await notifyShares(database, nodeId, lineGroupId, some);
    taken += some.length;
  }
  return taken;
}

/** How many nodes count together with this one: in its largest line group, those that visitors ask and that are heard of. */
export async function guardNodesOf(database: Queryable, nodeId: number): Promise<number> {
  const [row] = await rowsOf<{ nodes: number }>(
    database,
    sql`SELECT coalesce(max(nodes), 1)::int AS nodes FROM (
          SELECT count(*) AS nodes FROM node_line_group l JOIN node_line_group o ON o.line_group_id = l.line_group_id
            JOIN node n ON n.id = o.node_id
          WHERE l.node_id = ${nodeId} AND l.level = 'L1' AND o.level = 'L1' AND n.enabled
            AND n.status_time > now() - make_interval(secs => ${nodeSilentSeconds * 3})
          GROUP BY l.line_group_id) g`,
  );
  return row!.nodes;
}
