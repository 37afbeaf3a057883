import type { RobotOfAddress } from '@breakwater/policy/access/search-robots';
import type { Db } from '../../db/database.ts';
import { robotOfAddress } from '../ip-data/robot.service.ts';
import type { Robots } from './replay-judge.ts';

/** So many addresses are asked about in DNS for one answer, and for so long at most; the rest cannot be told. */
const addressesMax = 200;
const atOnce = 20;
const learnMs = 5000;

export function makeRobots(db: Db): Robots {
  const known = new Map<string, RobotOfAddress>();
  const asked = new Set<string>();
  const ends = { at: 0 };
  const learn = async (addresses: Iterable<string>) => {
    ends.at ||= performance.now() + learnMs;
    const fresh = [...addresses].filter((address) => !asked.has(address)).slice(0, addressesMax - asked.size);
    for (const address of fresh) asked.add(address);
    for (let from = 0; from < fresh.length && performance.now() < ends.at; from += atOnce)
      await Promise.all(
        fresh.slice(from, from + atOnce).map(async (address) => {
          const robot = await robotOfAddress(db, address);
          if (robot !== undefined) known.set(address, robot);
        }),
      );
  };
  return { learn, of: (address) => known.get(address), isKnown: (address) => known.has(address) };
}
