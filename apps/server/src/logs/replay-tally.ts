import { setImmediate } from 'node:timers/promises';
import { cleanRequestsMin, replayDimensions, replayTopMax } from '@breakwater/contract/rule-replay';
import {
  freedBit,
  isRobotAgent,
  newlyBit,
  robotsMax,
  stoppedBit,
  type ReplayCode,
  type ReplayQuestion,
  type ReplayTally,
  type Stops,
} from './replay-question.ts';

/** What came of requests, summed up here: for stores that cannot be asked for it. */

export interface HitLine {
  code: ReplayCode;
  /** Milliseconds since 1970. */
  at: number;
  request_id: string;
  site: number;
  client: number;
  country: string;
  path: string;
  user_agent: string;
  address: string;
  /** It was answered, and nothing stopped it. */
  isClean: boolean;
}

const linesPerTurn = 20_000;

const noStops = (): Stops => ({ stopped: 0, newly: 0, freed: 0 });

function add(stops: Stops, code: ReplayCode): void {
  if ((code & stoppedBit) > 0) stops.stopped += 1;
  if ((code & newlyBit) > 0) stops.newly += 1;
  if ((code & freedBit) > 0) stops.freed += 1;
}

export async function tallyHits(
  lines: readonly HitLine[],
  { start, step }: ReplayQuestion,
): Promise<Pick<ReplayTally, 'by' | 'series' | 'robots' | 'clean'>> {
  const by = new Map(replayDimensions.map((dimension) => [dimension, new Map<string, Stops>()]));
  const series = new Map<number, Stops & { requests: number }>();
  const robots = new Map<string, ReplayTally['robots'][number]>();
  const visitors = new Map<string, { requests: number; isClean: boolean; newly: number }>();
  for (const [index, line] of lines.entries()) {
    if (index % linesPerTurn === 0) await setImmediate();
    const code = Math.max(0, line.code);
    const place = start + Math.floor((line.at - start) / step) * step;
    const point = entry(series, place, () => ({ requests: 0, ...noStops() }));
    point.requests += 1;
    add(point, code);
    const visitor = entry(visitors, line.address, () => ({ requests: 0, isClean: true, newly: 0 }));
    visitor.requests += 1;
    visitor.isClean &&= line.isClean;
    if ((code & newlyBit) > 0) {
      visitor.newly += 1;
      if (isRobotAgent(line.user_agent)) addRobot(robots, line);
    }
    if (code < stoppedBit) continue;
    for (const dimension of replayDimensions)
      add(entry(by.get(dimension)!, String(line[dimension]), noStops), code);
  }
  const clean = [...visitors.values()].filter(
    (each) => each.newly > 0 && each.isClean && each.requests >= cleanRequestsMin,
  );
  return {
    by: Object.fromEntries([...by].map(([name, found]) => [name, topOf(found)])) as ReplayTally['by'],
    series: [...series].map(([time, point]) => ({ time, ...point })).toSorted((a, b) => a.time - b.time),
    robots: [...robots.values()].toSorted((a, b) => b.requests - a.requests).slice(0, robotsMax),
    clean: { visitors: clean.length, requests: clean.reduce((sum, { newly }) => sum + newly, 0) },
  };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function addRobot(
  robots: Map<string, ReplayTally['robots'][number]>,
  { user_agent, address }: HitLine,
): void {
  const robot = entry(robots, `${address} ${user_agent}`, () => ({
    user_agent,
    remote_addr: address,
    requests: 0,
  }));
  robot.requests += 1;
}

const topOf = (found: Map<string, Stops>) =>
  [...found]
    .map(([value, stops]) => ({ value, ...stops }))
    .toSorted(
      (a, b) =>
        b.newly - a.newly || b.stopped - a.stopped || b.freed - a.freed || (a.value < b.value ? -1 : 1),
    )
    .slice(0, replayTopMax);
