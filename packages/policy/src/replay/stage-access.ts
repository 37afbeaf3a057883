import type { LevelName } from '@breakwater/contract/edge-document';
import type { AccessRule } from '@breakwater/contract/site-config/access-control';
import {
  decideAccess,
  prepareAccess,
  type PreparedAccess,
  type PreparedAccessRule,
} from '../access/access.ts';
import { prepareAccessCondition } from '../access/condition.ts';
import { decideReferer } from '../access/referer.ts';
import { factsOf } from '../conditions/request-facts.ts';
import { splitTarget } from '../http/path.ts';
import {
  bounded,
  columnsOf,
  lookupsOfLine,
  noReads,
  readCondition,
  requestOfLine,
  type LogContents,
  type Reads,
} from './logged.ts';
import { passed, untold, type PrepareStage, type StageResult } from './stage.ts';

/** Who may come in, and from which pages. */

interface RuleAlone {
  /** As if what is not logged suited the rule; and, where that matters, as if it did not. */
  most: PreparedAccess;
  least: PreparedAccess | undefined;
  unlogged: string;
  action: AccessRule['action'];
  name: string;
}

export const accessStage: PrepareStage = (document, log) => {
  const access = prepareAccess(document);
  if (access === undefined) return undefined;
  const reads = noReads();
  const alone: RuleAlone[] = [];
  for (const { level, rules } of access.levels)
    for (const rule of rules) alone.push(ruleAlone(level, rule, reads, log));
  const { otherwise } = access;
  return {
    reads,
    counts: false,
    decide: (line, { tryRegex, lookups }) => {
      const described = requestOfLine(line);
      const of = lookupsOfLine(line, lookups);
      const request = {
        address: described.ip,
        method: line.method,
        path: splitTarget(line.target).path,
        agent: line.user_agent === '' ? undefined : line.user_agent,
        asked: { facts: factsOf(described, of), tryRegex, decidedBy: 0 },
      };
      let open: StageResult | undefined;
      for (const rule of alone) {
        if (decideAccess(rule.most, request, of).index < 0) continue;
        const result = resultOf(rule.action, rule.name);
        if (rule.least !== undefined && decideAccess(rule.least, request, of).index < 0) {
          if (open !== undefined && open.outcome !== result.outcome) return untold(rule.unlogged);
          result.unknown = rule.unlogged;
          open = result;
          continue;
        }
        return joined(open, result);
      }
      return joined(open, resultOf(otherwise, 'otherwise'));
    },
  };
};

/** What is certain: both say the same, or nobody can tell. */
function joined(open: StageResult | undefined, result: StageResult): StageResult {
  return open === undefined || open.outcome === result.outcome ? result : untold(open.unknown);
}

function resultOf(action: AccessRule['action'], name: string): StageResult {
  if (action === 'deny') return passed('block', `access_control ${name}`);
  const result = passed(name === 'otherwise' ? 'pass' : 'allow', `access_control ${name}`);
  result.isWelcome = name !== 'otherwise';
  return result;
}

function ruleAlone(
  level: LevelName | 'site',
  prepared: PreparedAccessRule,
  reads: Reads,
  log: LogContents,
): RuleAlone {
  const { rule } = prepared;
  const own = noReads();
  if (rule.addresses.length > 0 || rule.address_lists.length > 0) own.columns.remote_addr = true;
  if (rule.countries.length > 0) own.columns.country = true;
  if (rule.provinces.length > 0) own.columns.province = true;
  if (rule.carriers.length > 0) own.columns.carrier = true;
  if (rule.methods.length > 0) own.columns.method = true;
  if (rule.only_paths.length > 0 || rule.except_paths.length > 0) own.columns.path = true;
  const asksAgent = rule.agents.length > 0 || rule.empty_agent;
  const hasAgent = columnsOf('user_agent', '', log) !== undefined;
  if (asksAgent && hasAgent) own.columns.user_agent = true;
  if (asksAgent && !hasAgent) own.unlogged = 'user_agent';
  if (rule.condition !== undefined) readCondition(own, rule.condition, log);
  for (const column in own.columns) reads.columns[column as keyof Reads['columns']] = true;
  if (own.robots) reads.robots = true;
  const { unlogged } = own;
  return {
    most: withOne(level, unlogged === undefined ? prepared : boundedRule(prepared, log, true, hasAgent)),
    least: unlogged === undefined ? undefined : leastOf(level, prepared, log, hasAgent, asksAgent),
    unlogged: unlogged ?? '',
    action: rule.action,
    name: `${level === 'site' ? '' : `${level} `}${prepared.index + 1}`,
  };
}

const withOne = (level: LevelName | 'site', rule: PreparedAccessRule): PreparedAccess => ({
  levels: [{ level, rules: [rule] }],
  otherwise: 'allow',
});

const fitsNobody: PreparedAccess = { levels: [], otherwise: 'allow' };

function leastOf(
  level: LevelName | 'site',
  prepared: PreparedAccessRule,
  log: LogContents,
  hasAgent: boolean,
  asksAgent: boolean,
): PreparedAccess {
  // Whom it is about is not known at all.
  if (asksAgent && !hasAgent) return fitsNobody;
  return withOne(level, boundedRule(prepared, log, false, hasAgent));
}

function boundedRule(
  prepared: PreparedAccessRule,
  log: LogContents,
  holds: boolean,
  hasAgent: boolean,
): PreparedAccessRule {
  const { rule } = prepared;
  return {
    ...prepared,
    rule: hasAgent ? rule : { ...rule, agents: [], empty_agent: false },
    agents: hasAgent ? prepared.agents : [],
    condition: rule.condition && prepareAccessCondition(bounded(rule.condition, log, holds)),
  };
}

export const refererStage: PrepareStage = ({ block_referer: settings, domains }, log) => {
  if (settings === undefined || !settings.enabled) return undefined;
  const reads = noReads();
  reads.columns.host = true;
  if (log.referer) reads.columns.referer = true;
  if (settings.only_paths.length > 0 || settings.except_paths.length > 0) reads.columns.path = true;
  const asksOrigin = settings.check_origin;
  if (!log.referer) reads.unlogged = 'referer';
  else if (asksOrigin) reads.unlogged = 'header.origin';
  return {
    reads,
    counts: false,
    decide: (line) => {
      const request = {
        host: line.host,
        domains,
        path: splitTarget(line.target).path,
        referer: line.referer,
        origin: undefined,
      };
      const reason = decideReferer(settings, request);
      const isAbout = decideReferer({ ...settings, ...refusesAll }, { ...request, referer: '' }) !== 'none';
      if (!isAbout) return passed();
      if (!log.referer) return untold('referer');
      if (reason !== 'none') return passed('block', `block_referer ${reason}`);
      return asksOrigin ? untold('header.origin') : passed();
    },
  };
};

/** Tells whether the paths of the setting are about a request. */
const refusesAll = { allow_empty: false, check_origin: false };
