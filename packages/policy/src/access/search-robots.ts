import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import type { SearchRobot } from '@breakwater/contract/search-robots';
import { lowerAscii } from '../lib/text.ts';

/**
 * Who a robot says it is, and whose address it has. An engine's address has a name below a domain of the engine, and that
 * name leads back to the address: only the engine can bring both about.
 */

interface RobotMarks {
  robot: SearchRobot;
  /** Words of its agent string, in lower case. */
  agents: string[];
  domains: string[];
  /** The engine says that all its robots can be proven so: what cannot be is none of them. */
  isComplete: boolean;
}

const robots: RobotMarks[] = [
  {
    // https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot
    robot: 'google',
    agents: [
      'googlebot',
      'adsbot-google',
      'mediapartners-google',
      'storebot-google',
      'google-inspectiontool',
      'googleother',
    ],
    domains: ['googlebot.com', 'google.com'],
    isComplete: true,
  },
  {
    // https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26
    robot: 'bing',
    agents: ['bingbot', 'msnbot', 'adidxbot', 'bingpreview'],
    domains: ['search.msn.com'],
    isComplete: true,
  },
  {
    // https://ziyuan.baidu.com/college/courseinfo?id=267&page=15
    robot: 'baidu',
    agents: ['baiduspider'],
    domains: ['baidu.com', 'baidu.jp'],
    isComplete: true,
  },
  // Of the next three the names are seen, but not published.
  {
    robot: 'sogou',
    agents: ['sogou web spider', 'sogou inst spider', 'sogou pic spider', 'sogou news spider', 'sogouspider'],
    domains: ['crawl.sogou.com'],
    isComplete: false,
  },
  { robot: 'yisou', agents: ['yisouspider'], domains: ['crawl.sm.cn'], isComplete: false },
  { robot: 'bytespider', agents: ['bytespider'], domains: ['crawl.bytedance.com'], isComplete: false },
  {
    // https://webmaster.petalsearch.com/site/petalbot
    robot: 'petal',
    agents: ['petalbot'],
    domains: ['petalsearch.com', 'aspiegel.com'],
    isComplete: true,
  },
  {
    // https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html
    robot: 'yandex',
    agents: ['yandexbot', 'yandex.com/bots'],
    domains: ['yandex.ru', 'yandex.net', 'yandex.com'],
    isComplete: true,
  },
  {
    // https://support.apple.com/en-us/119829
    robot: 'apple',
    agents: ['applebot'],
    domains: ['applebot.apple.com'],
    isComplete: true,
  },
  {
    // https://help.yahoo.com/kb/SLN22600.html
    robot: 'yahoo',
    agents: ['yahoo! slurp'],
    domains: ['crawl.yahoo.net'],
    isComplete: true,
  },
  // https://searchadvisor.naver.com/guide/seo-basic-firewall
  { robot: 'naver', agents: ['naver.me/spd', 'yeti/'], domains: ['naver.com'], isComplete: true },
  {
    // https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/
    robot: 'seznam',
    agents: ['seznambot'],
    domains: ['seznam.cz'],
    isComplete: true,
  },
];

export const isRobotField = (field: ConditionFieldName): boolean =>
  field === 'verified_robot' || field === 'false_robot';

/** What is known of an address: whose robots have it, `none` for nobody's, and absent where that is not known yet. */
export type RobotOfAddress = SearchRobot | 'none' | undefined;

/** The robot that a request is of, or says to be and is not; the address is asked about only where one is named. */
export function robotFact(
  field: ConditionFieldName,
  agent: string | undefined,
  find: (this: void) => RobotOfAddress,
): SearchRobot | undefined {
  const claimed = agent === undefined ? undefined : claimedRobot(agent);
  if (claimed === undefined) return undefined;
  const owner = find();
  if (field === 'verified_robot') return owner === claimed.robot ? claimed.robot : undefined;
  const isFalse = owner !== undefined && owner !== claimed.robot && claimed.isComplete;
  return isFalse ? claimed.robot : undefined;
}

/** Every word by which an agent is told to name a robot, in lower case. */
export function robotWords(): string[] {
  const words: string[] = [];
  for (const { agents } of robots) for (const word of agents) words.push(word);
  return words;
}

/** The robot that an agent names, whoever it is of. */
export const namedRobot = (agent: string): SearchRobot | undefined => claimedRobot(agent)?.robot;

function claimedRobot(agent: string): RobotMarks | undefined {
  const words = lowerAscii(agent);
  for (const each of robots) for (const word of each.agents) if (words.indexOf(word) >= 0) return each;
  return undefined;
}

/** Whose a name of DNS is. */
export function robotOfName(written: string): SearchRobot | undefined {
  const lower = lowerAscii(written);
  const name = lower.endsWith('.') ? lower.substring(0, lower.length - 1) : lower;
  for (const { robot, domains } of robots)
    for (const domain of domains) if (name === domain || name.endsWith(`.${domain}`)) return robot;
  return undefined;
}
