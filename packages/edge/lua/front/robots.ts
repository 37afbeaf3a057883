import type { RobotOfAddress } from '@breakwater/policy/access/search-robots';

/**
 * Which addresses are those of search engines' robots. nginx only reads what the agent found out, and notes which
 * addresses to ask about; whatever strangers send, the proven ones keep their place, since no stranger gets in there.
 */
const proven = ngx.shared.edge_robots;
/** By address: `none` of those that are nobody's, and `asked` while the agent finds out; and the list of what to ask. */
const asked = ngx.shared.edge_robots_asked;

const queue = 'queue';
const queueMax = 1000;
const askSeconds = 60;
/** What is proven is asked again so long before it ends, so that a robot that comes often stays proven. */
const renewSeconds = 21_600;

/** What is known of an address. One that is not known is asked about, for the requests that follow. */
export function robotOf(address: string): RobotOfAddress {
  const robot = proven.get(address) as RobotOfAddress;
  if (robot !== undefined) {
    if ((proven.ttl(address) ?? 0) < renewSeconds) ask(address);
    return robot;
  }
  const known = asked.get(address);
  if (known === undefined) ask(address);
  return known === 'none' ? 'none' : undefined;
}

function ask(address: string): void {
  if (asked.llen(queue) >= queueMax) return;
  const [isNew] = asked.add(address, 'asked', askSeconds);
  if (isNew) asked.lpush(queue, address);
}

/** For the agent, the oldest first. */
export function takeAsked(max: number): string[] {
  const addresses: string[] = [];
  while (addresses.length < max) {
    const address = asked.rpop(queue);
    if (address === undefined) break;
    addresses.push(address);
  }
  return addresses;
}

export interface RobotVerdict {
  address: string;
  robot: NonNullable<RobotOfAddress>;
  seconds: number;
}

export function putRobots(verdicts: RobotVerdict[]): void {
  for (const { address, robot, seconds } of verdicts) {
    if (robot === 'none') {
      proven.delete(address);
      asked.set(address, robot, seconds);
    } else {
      proven.set(address, robot, seconds);
      asked.delete(address);
    }
  }
}
