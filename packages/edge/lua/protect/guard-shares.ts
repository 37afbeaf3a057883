import { guardShareFrom, type PreparedGuardRule } from '@breakwater/policy/protect/guard';
import { countIn } from './guard-counts.ts';

/** Whose count is worth telling the other nodes of the line group, and how many they are. How it is told: `guard-exchange.ts`. */

/** Who asked last stays longest. */
const heavy = ngx.shared.edge_guard_heavy;
const places = ngx.shared.edge_guard_places;
const nodesName = 'nodes';

let nodes = 0;
let lookedAt = 0;

/** How many nodes count together, this one among them; looked up once a second. */
function nodesNow(now: number): number {
  if (now - lookedAt >= 1 || now < lookedAt) {
    lookedAt = now;
    nodes = (places.get(nodesName) as number | undefined) ?? 0;
  }
  return nodes;
}

export const isShared = (now: number): boolean => nodesNow(now) > 1;

/** Counts for a rule, and says how many there were within the window, with those of the other nodes. */
export function countForRule(name: string, { seconds, requests }: PreparedGuardRule, now: number): number {
  const count = countIn(name, seconds, now);
  const together = nodesNow(now);
  if (together > 1 && count >= guardShareFrom(requests, together))
    heavy.add(name, requests, lifeSeconds(seconds));
  return count;
}

/** As long as the counter: a bucket counts until the one after it is over. */
export const lifeSeconds = (seconds: number): number => seconds * 2 + 1;

export function putNodes(together: number): void {
  places.set(nodesName, together);
}

export const heavyCounters = (): string[] => heavy.get_keys(0);
