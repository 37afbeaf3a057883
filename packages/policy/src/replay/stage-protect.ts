import { detect, worstOf } from '../detect/detect.ts';
import { systemRulesOf } from '../detect/settings.ts';
import { factsOf } from '../conditions/request-facts.ts';
import { splitTarget } from '../http/path.ts';
import { isToBeAsked, prepareVerification, type Verification } from '../protect/verify-scope.ts';
import { bounded, lookupsOfLine, noReads, readCondition, requestOfLine, type Reads } from './logged.ts';
import { passed, untold, type PrepareStage } from './stage.ts';

/** Who is asked for a pass. Whether somebody has one no line tells. */
export const verifyStage: PrepareStage = ({ browser_verify_rule: settings }, log) => {
  if (settings === undefined || !settings.enabled) return undefined;
  const reads = noReads();
  const { condition } = settings;
  if (condition !== undefined) readCondition(reads, condition, log);
  if (settings.only_paths.length > 0 || settings.except_paths.length > 0) reads.columns.path = true;
  if (settings.exempt_addresses.length > 0 || settings.address_lists.length > 0)
    reads.columns.remote_addr = true;
  if (settings.exempt_robots) askRobots(reads, log.user_agent);
  const towards = (holds: boolean): Verification =>
    prepareVerification(
      condition === undefined ? settings : { ...settings, condition: bounded(condition, log, holds) },
    )!;
  const most = towards(true);
  const least = towards(false);
  const { unlogged } = reads;
  return {
    reads,
    counts: false,
    decide: (line, { tryRegex, lookups }) => {
      const described = requestOfLine(line);
      const of = lookupsOfLine(line, lookups);
      const facts = factsOf(described, of);
      const request = {
        path: splitTarget(line.target).path,
        address: described.ip,
        isRobot: () => facts('verified_robot', '') !== undefined,
        asked: { facts, tryRegex, decidedBy: 0 },
      };
      if (!isToBeAsked(most, request, of)) return passed();
      if (unlogged !== undefined && !isToBeAsked(least, request, of)) return untold(unlogged);
      return passed('challenge', 'browser_verify_rule');
    },
  };
};

function askRobots(reads: Reads, hasAgent: boolean): void {
  if (!hasAgent) {
    reads.unlogged = 'user_agent';
    return;
  }
  reads.columns.user_agent = true;
  reads.columns.robot_addr = true;
  reads.robots = true;
}

/** Attacks in what a line holds of the head of a request. */
export const systemStage: PrepareStage = ({ used_system_rule: rule }, log) => {
  const settings = rule && systemRulesOf(rule);
  if (settings === undefined) return undefined;
  const reads = noReads();
  reads.columns[log.query ? 'request_uri' : 'path'] = true;
  reads.columns.method = true;
  if (log.user_agent) reads.columns.user_agent = true;
  if (log.referer) reads.columns.referer = true;
  reads.columns.attack_noted = true;
  return {
    reads,
    counts: false,
    decide: (line, { known }) => {
      const { target, time, method } = line;
      settings.known = known;
      const { headers } = requestOfLine(line);
      const worst = worstOf(detect({ method, target, headers, body: '', time }, settings));
      if (worst?.blocks === true) return passed('block', `used_system_rule ${worst.detector}`);
      // Then something was found that is not here: in a content, a cookie or another field.
      if (worst === undefined && line.attack_noted) return untold('content');
      return worst === undefined ? passed() : passed('observe', `used_system_rule ${worst.detector}`);
    },
  };
};
