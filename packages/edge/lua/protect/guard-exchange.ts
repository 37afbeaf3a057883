import { guardModeAt, guardWindowAt, type PreparedGuardRule } from '@breakwater/policy/protect/guard';
import { loadSite } from '../site/site.ts';
import { addToBucket, countedIn, heldUntil, holdFor, inBucket } from './guard-counts.ts';
import { heavyCounters, lifeSeconds, putNodes } from './guard-shares.ts';

/**
 * What nodes of a line group tell each other of what they counted. What others counted is added to the same buckets that requests are
 * judged by, so judging costs what it did; how much of a bucket is theirs is kept beside it.
 */

/** What others counted, by bucket. Where it is full, no more is taken: what is in a bucket and not here would be added twice. */
const others = ngx.shared.edge_guard_others;

/** Told at once; the greatest parts of their thresholds. */
const toldMax = 300;

export interface SharedCount {
  site_id: number;
  /** The name of a counter without its site: `visitor 300/10 challenge` and who, as a digest. */
  name: string;
  bucket: number;
  /** For all nodes but this one. */
  count: number;
}

/** Takes what the others counted, as far as it is not taken, and gives what was counted here: a line for each bucket. */
export function exchangeCounts(together: number, told: readonly SharedCount[]): string {
  const now = ngx.now();
  putNodes(together);
  for (const share of told) takeShare(share, now);
  return together > 1 ? ownCounts(now) : '';
}

/** Counts only grow, so what comes late, or twice, adds nothing. */
function takeShare({ site_id: siteId, name, bucket, count }: SharedCount, now: number): void {
  const rule = ruleOf(`${siteId}`, name, now);
  // Of a rule that is another by now, or of a node whose clock is another.
  if (rule === undefined || math.abs(bucket - guardWindowAt(now, rule.seconds).bucket) > 1) return;
  const counter = `${siteId} ${name}`;
  const place = `${counter} ${bucket}`;
  const more = count - ((others.get(place) as number | undefined) ?? 0);
  if (more <= 0) return;
  const life = lifeSeconds(rule.seconds);
  if (!keepShare(place, count, life)) return;
  addToBucket(counter, bucket, more, life);
  // A ban is told by itself: held here too, who is released would be banned again.
  if (rule.action === 'ban' || (heldUntil(counter) ?? 0) > now) return;
  if (countedIn(counter, rule.seconds, now) > rule.requests) holdFor(counter, rule.holdSeconds, now);
}

function keepShare(place: string, count: number, life: number): boolean {
  if (others.safe_set(place, count, life)[0]) return true;
  return others.flush_expired() > 0 && others.safe_set(place, count, life)[0];
}

function ruleOf(siteKey: string, name: string, now: number): PreparedGuardRule | undefined {
  const guard = loadSite(siteKey)?.protection?.guard;
  if (guard === undefined) return undefined;
  for (const rule of guard.rules[guardModeAt(guard, now)])
    if (string.sub(name, 1, rule.counter.length + 1) === `${rule.counter} `) return rule;
  return undefined;
}

interface OwnCount {
  line: string;
  /** Of its threshold. */
  part: number;
}

function ownCounts(now: number): string {
  const found: OwnCount[] = [];
  for (const counter of heavyCounters()) {
    const [siteId, name, requests, seconds] = string.match(counter, '^(%d+) (%S+ (%d+)/(%d+) .*)$');
    if (siteId === undefined) continue;
    const { bucket } = guardWindowAt(now, tonumber(seconds)!);
    for (const each of [bucket - 1, bucket]) {
      const place = `${counter} ${each}`;
      const own = inBucket(counter, each) - ((others.get(place) as number | undefined) ?? 0);
      if (own > 0) found.push({ line: `${siteId} ${each} ${own} ${name}`, part: own / tonumber(requests)! });
    }
  }
  table.sort(found, (one, other) => one.part > other.part);
  const lines: string[] = [];
  for (let index = 0; index < math.min(found.length, toldMax); index++) lines.push(found[index]!.line);
  return table.concat(lines, '\n');
}
