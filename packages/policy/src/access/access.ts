import type { EffectiveSite, LevelName } from '@breakwater/contract/edge-document';
import type { AccessControl, AccessRule } from '@breakwater/contract/site-config/access-control';
import type { AddressLookups } from '../conditions/address-fact.ts';
import { isInSet, packAddresses, type AddressSet } from '../address/address-set.ts';
import type { Asked } from '../conditions/condition.ts';
import { prepareAccessCondition, suitsReadings, type AccessCondition } from './condition.ts';
import { parseAddress, type Address } from '../address/ip.ts';
import type { Place } from '../address/ip-data.ts';
import { isSurelyAmong, mayBeAmong, pathForms, type PathForms } from '../http/path-forms.ts';
import { lowerAscii } from '../lib/text.ts';
import { matchWildcard, starsOnly } from '../conditions/text-match.ts';

/**
 * Who may come in: the levels from the highest down and the site at last, each with rules in their order. The first that
 * fits decides, so whom a level lets in no lower one refuses, and the other way round.
 */

export type AccessLevel = LevelName | 'site';

export interface PreparedAccess {
  levels: { level: AccessLevel; rules: PreparedAccessRule[] }[];
  otherwise: AccessControl['otherwise'];
}

export interface PreparedAccessRule {
  rule: AccessRule;
  /** Its place among all rules of its level, from 0. */
  index: number;
  /** Absent: it names none, though lists may. */
  addresses: AddressSet | undefined;
  /** Words as patterns in lower case. */
  agents: string[];
  condition: AccessCondition | undefined;
}

/** What is known of a request before it is let in. */
export interface AccessRequest {
  /** The visitor's, by the site's setting. */
  address: string;
  method: string;
  /** As it was sent, without the query. */
  path: string;
  agent: string | undefined;
  /** For conditions, of the request as it came. */
  asked: Asked;
}

export interface AccessDecision {
  action: AccessRule['action'];
  /** Whose rule it is. */
  level: AccessLevel;
  /** The rule that decided; -1: none. */
  index: number;
}

/** Nothing where everybody may come in. */
export function prepareAccess({
  access_control: section,
  access_levels: above,
}: Pick<EffectiveSite, 'access_control' | 'access_levels'>): PreparedAccess | undefined {
  const levels: PreparedAccess['levels'] = [];
  for (const { level, rules } of above ?? []) {
    const prepared = allowedFirst(prepareRules(rules));
    if (prepared.length > 0) levels.push({ level, rules: prepared });
  }
  const own = prepareRules(section?.rules ?? []);
  if (own.length > 0) levels.push({ level: 'site', rules: own });
  const otherwise = section?.otherwise ?? 'allow';
  return levels.length === 0 && otherwise === 'allow' ? undefined : { levels, otherwise };
}

function prepareRules(written: readonly AccessRule[]): PreparedAccessRule[] {
  const rules: PreparedAccessRule[] = [];
  for (let index = 0; index < written.length; index++) {
    const rule = written[index]!;
    if (!rule.enabled) continue;
    const agents: string[] = [];
    for (const word of rule.agents) agents.push(`*${starsOnly(lowerAscii(word))}*`);
    const addresses = rule.addresses.length === 0 ? undefined : packAddresses(rule.addresses);
    const condition = rule.condition && prepareAccessCondition(rule.condition);
    rules.push({ rule, index, addresses, agents, condition });
  }
  return rules;
}

/** Above sites, whom a level lets in it does not refuse, whatever the order of its rules. */
function allowedFirst(rules: PreparedAccessRule[]): PreparedAccessRule[] {
  const sorted: PreparedAccessRule[] = [];
  for (const each of rules) if (each.rule.action === 'allow') sorted.push(each);
  for (const each of rules) if (each.rule.action === 'deny') sorted.push(each);
  return sorted;
}

/** What rules ask of a request, worked out once and only where one asks. */
interface Facts {
  request: AccessRequest;
  address: Address | undefined;
  forms: PathForms | undefined;
  agent: string | undefined;
  place: Place | undefined;
  lookups: AddressLookups;
}

const factsOf = (request: AccessRequest, lookups: AddressLookups): Facts => ({
  request,
  place: undefined,
  lookups,
  address: parseAddress(request.address),
  forms: undefined,
  agent: request.agent === undefined ? undefined : lowerAscii(request.agent),
});

export function decideAccess(
  access: PreparedAccess,
  request: AccessRequest,
  lookups: AddressLookups,
): AccessDecision {
  const facts = factsOf(request, lookups);
  for (const { level, rules } of access.levels)
    for (const prepared of rules)
      if (fits(prepared, facts)) return { action: prepared.rule.action, level, index: prepared.index };
  return { action: access.otherwise, level: 'site', index: -1 };
}

/** The rules that may fit a request of this visitor, whatever it asks for: those alone decide it. */
export function accessOfVisitor(
  access: PreparedAccess,
  request: AccessRequest,
  lookups: AddressLookups,
): PreparedAccess {
  const facts = factsOf(request, lookups);
  const levels: PreparedAccess['levels'] = [];
  for (const { level, rules } of access.levels) {
    const some: PreparedAccessRule[] = [];
    for (const prepared of rules) if (fitsVisitor(prepared, facts)) some.push(prepared);
    if (some.length > 0) levels.push({ level, rules: some });
  }
  return { levels, otherwise: access.otherwise };
}

function fitsVisitor(prepared: PreparedAccessRule, facts: Facts): boolean {
  const { rule } = prepared;
  return (
    fitsAddress(prepared, facts) &&
    fitsPlace(rule, facts) &&
    fitsMethod(rule, facts) &&
    fitsAgent(prepared, facts)
  );
}

const fits = (prepared: PreparedAccessRule, facts: Facts): boolean =>
  fitsVisitor(prepared, facts) && fitsPaths(prepared.rule, facts) && fitsCondition(prepared, facts);

function fitsAddress({ rule, addresses }: PreparedAccessRule, { address, lookups }: Facts): boolean {
  const lists = rule.address_lists;
  if (addresses === undefined && lists.length === 0) return true;
  if (address === undefined) return false;
  if (addresses !== undefined && isInSet(address, addresses)) return true;
  for (const list of lists) if (lookups.isListed(list, address)) return true;
  return false;
}

function fitsPlace(rule: AccessRule, facts: Facts): boolean {
  const { countries, provinces, carriers } = rule;
  if (countries.length + provinces.length + carriers.length === 0) return true;
  if (facts.place === undefined)
    facts.place = (facts.address === undefined ? undefined : facts.lookups.placeOf(facts.address)) ?? nowhere;
  const { country, province, carrier } = facts.place;
  return (
    isNoneOrHas(countries, country) && isNoneOrHas(provinces, province) && isNoneOrHas(carriers, carrier)
  );
}

const nowhere: Place = { country: '', province: '', carrier: '' };

function isNoneOrHas(wanted: string[], value: string): boolean {
  if (wanted.length === 0) return true;
  for (const each of wanted) if (each === value) return true;
  return false;
}

function fitsMethod({ methods }: AccessRule, { request }: Facts): boolean {
  if (methods.length === 0) return true;
  for (const method of methods) if (method === request.method) return true;
  return false;
}

function fitsAgent({ rule, agents }: PreparedAccessRule, { agent }: Facts): boolean {
  if (agents.length === 0 && !rule.empty_agent) return true;
  if (agent === undefined || agent === '') return rule.empty_agent;
  for (const pattern of agents) if (matchWildcard(agent, pattern)) return true;
  return false;
}

function fitsPaths(rule: AccessRule, facts: Facts): boolean {
  const { only_paths: only, except_paths: except } = rule;
  if (only.length === 0 && except.length === 0) return true;
  facts.forms ??= pathForms(facts.request.path);
  return isUnder(only, except, facts.forms, rule.action === 'deny');
}

function fitsCondition({ rule, condition }: PreparedAccessRule, facts: Facts): boolean {
  if (condition === undefined) return true;
  facts.forms ??= pathForms(facts.request.path);
  return suitsReadings(condition, facts.forms, facts.request.asked, rule.action === 'deny');
}

/**
 * Whether a rule for some paths is about this one. A rule that closes is, where any reading of the path may lead there;
 * one that opens, where every reading does.
 */
export function isUnder(only: string[], except: string[], forms: PathForms, closes: boolean): boolean {
  if (only.length > 0 && !(closes ? mayBeAmong(only, forms) : isSurelyAmong(only, forms))) return false;
  if (except.length === 0) return true;
  return closes ? !isSurelyAmong(except, forms) : !mayBeAmong(except, forms);
}
