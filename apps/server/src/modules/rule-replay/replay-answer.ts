import { replayDimensions, type ReplayAnswer } from '@breakwater/contract';
import { namedRobot } from '@breakwater/policy/access/search-robots';
import type { Db } from '../../db/database.ts';
import type { ReplayTally } from '../../logs/replay-question.ts';
import type { Scope } from '../../scope.ts';
import { clientNames, namesOf } from '../statistics/statistics.store.ts';
import { resultsOf, type Judge, type Robots } from './replay-judge.ts';

/** What came of a replay, as it is answered. */

type Presented = Omit<ReplayAnswer, 'start_time' | 'end_time' | 'sites' | 'sites_total' | 'sample_rate'>;

export async function present(
  db: Db,
  scope: Scope,
  { sums }: Judge,
  tally: ReplayTally,
  robots: Robots,
): Promise<Presented> {
  const claimed = await robotsOf(tally, robots);
  const verified = claimed.filter(({ state }) => state === 'verified');
  return {
    total: tally.total,
    read: tally.read,
    outcomes: [...sums.outcomes]
      .filter(([, { today, draft }]) => today + draft > 0)
      .map(([outcome, both]) => ({ outcome, ...both })),
    stopped: sums.stopped,
    newly: sums.newly,
    freed: sums.freed,
    changes: [...sums.changes.values()].toSorted((one, other) => other.requests - one.requests),
    rules: [...sums.rules.values()].toSorted((one, other) => other.requests - one.requests),
    unknown: [...sums.unknown].map(([part, requests]) => ({ part, requests })),
    by: await presentBy(db, scope, tally),
    robots: claimed,
    series: tally.series.map(({ time, ...point }) => ({ time: new Date(time).toISOString(), ...point })),
    samples: tally.samples.map(presentSample),
    good: {
      verified_robots: verified.reduce((sum, { requests }) => sum + requests, 0),
      allowed: sums.allowed,
      clean_visitors: tally.clean.visitors,
      clean_requests: tally.clean.requests,
    },
  };
}

async function presentBy(db: Db, scope: Scope, { by }: ReplayTally): Promise<ReplayAnswer['by']> {
  const idsOf = (list: readonly { value: string }[]) => list.map(({ value }) => Number(value));
  const [client, site] = await Promise.all([
    clientNames(db, scope, idsOf(by.client)),
    namesOf(db, scope, 'site', idsOf(by.site)),
  ]);
  const names: Partial<Record<string, Map<number, string>>> = { client, site };
  return replayDimensions.map((dimension) => ({
    dimension,
    list: by[dimension].map((each) => ({ ...each, name: names[dimension]?.get(Number(each.value)) ?? '' })),
  }));
}

const presentSample = ({ code, record }: ReplayTally['samples'][number]) => ({
  ...resultsOf(code),
  request_id: record.request_id,
  time: record.time,
  site_id: record.site_id,
  method: record.method,
  host: record.host,
  request_uri: record.request_uri,
  remote_addr: record.remote_addr,
  country: record.country,
  user_agent: record.user_agent,
  status: record.status,
});

async function robotsOf(tally: ReplayTally, robots: Robots): Promise<ReplayAnswer['robots']> {
  await robots.learn(tally.robots.map(({ remote_addr }) => remote_addr));
  const found = new Map<string, ReplayAnswer['robots'][number]>();
  for (const { user_agent, remote_addr, requests } of tally.robots) {
    const robot = namedRobot(user_agent);
    if (robot === undefined) continue;
    const owner = robots.of(remote_addr);
    const state = owner === undefined ? 'unknown' : owner === robot ? 'verified' : 'false';
    const sum = found.get(`${robot} ${state}`) ?? { robot, state, requests: 0 };
    found.set(`${robot} ${state}`, { ...sum, requests: sum.requests + requests });
  }
  return [...found.values()].toSorted((one, other) => other.requests - one.requests);
}
