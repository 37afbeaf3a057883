import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';
import type { AddressLookups } from '../conditions/address-fact.ts';
import type { MatchRegex } from '../cache/rule.ts';
import { isInSet, packAddresses } from '../address/address-set.ts';
import { evaluateCondition, prepareCondition, unaskedOutcomes } from '../conditions/condition.ts';
import type { Place } from '../address/ip-data.ts';
import { parseCondition } from '../conditions/parse.ts';
import { printCondition } from '../conditions/text.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import type { RobotOfAddress } from '../access/search-robots.ts';
import { hasWord, matchWildcard } from '../conditions/text-match.ts';

/** The decisions on conditions; nothing for another. */
export function runConditionVector(
  decision: string,
  input: Record<string, unknown>,
  matchRegex: MatchRegex,
): unknown {
  if (decision === 'condition') return condition(input as never, matchRegex);
  if (decision === 'pattern')
    return { found: matchRegex(text(input.subject), text(input.pattern), input.folded === true) };
  if (decision === 'condition-text') return read(text(input.text));
  if (decision === 'text-match')
    return {
      wildcard: matchWildcard(text(input.text), text(input.pattern)),
      word: hasWord(text(input.text), text(input.pattern)),
    };
  return undefined;
}

const text = (value: unknown): string => value as string;

function read(written: string): unknown {
  const { condition: tree, problem, at, places } = parseCondition(written);
  if (tree === undefined) return { problem, at };
  let starts = '';
  for (const place of places) starts += ` ${place}`;
  return { printed: printCondition(tree), starts };
}

type Loose<T> = { [Name in keyof T]?: unknown };

/** In vectors what is as by default is left out. */
export function complete(item: Loose<ConditionGroup> & Loose<ConditionLeaf>): ConditionGroup | ConditionLeaf {
  if (item.items === undefined)
    return {
      values: [],
      negated: false,
      ignore_case: false,
      ...(item as object),
    } as unknown as ConditionLeaf;
  const items: (ConditionGroup | ConditionLeaf)[] = [];
  for (const inner of item.items as Loose<ConditionGroup>[]) items.push(complete(inner));
  return { match: (item.match as 'all' | 'any' | undefined) ?? 'all', negated: item.negated === true, items };
}

/** As text, what it says, and of each leaf: y, n, ? or - where it was not looked at. */
function condition(
  input: {
    when: Loose<ConditionGroup>;
    request?: Partial<DescribedRequest>;
    /** With one of these all are known. */
    lists?: Record<string, string[]>;
    place?: Place;
    /** The network of the visitor's address. */
    asn?: number;
    /** Whose robots have the visitor's address. */
    robot?: RobotOfAddress;
  },
  matchRegex: MatchRegex,
): unknown {
  const tree = complete(input.when) as ConditionGroup;
  const prepared = prepareCondition(tree);
  const outcomes = unaskedOutcomes(prepared);
  const isKnown =
    input.lists !== undefined ||
    input.place !== undefined ||
    input.asn !== undefined ||
    input.robot !== undefined;
  const lookups: AddressLookups = {
    isListed: (list, address) => isInSet(address, packAddresses(input.lists?.[`${list}`] ?? [])),
    placeOf: () => input.place,
    asnOf: () => input.asn,
    robotOf: () => input.robot,
  };
  const facts = factsOf({ ...plainRequest, ...input.request }, isKnown ? lookups : undefined);
  const verdict = evaluateCondition(prepared, { facts, tryRegex: matchRegex, decidedBy: -1, outcomes });
  let leaves = '';
  for (const outcome of outcomes) leaves += shown(outcome);
  return { text: printCondition(tree), verdict: shown(verdict), leaves };
}

function shown(outcome: number): string {
  if (outcome === 1) return 'y';
  if (outcome === 0) return 'n';
  return outcome === -1 ? '?' : '-';
}

export const plainRequest: DescribedRequest = {
  method: 'GET',
  scheme: 'https',
  host: 'a.example',
  target: '/',
  headers: [],
  ip: '192.0.2.1',
  protocol: 'HTTP/1.1',
  // A Wednesday: 2026-04-01 10:30:00 UTC.
  time: 1_775_039_400,
};
