import type {
  EdgeSystemRule,
  SystemRuleGroup,
  SystemRuleMode,
} from '@breakwater/contract/site-config/used-system-rule';
import type { DetectException, DetectSettings } from './types.ts';

/** All groups. The contract has the same list (it does not compile otherwise); it is not at hand where this runs. */
const groups: Record<SystemRuleGroup, true> = {
  sql: true,
  xss: true,
  command: true,
  code: true,
  traversal: true,
  upload: true,
  xxe: true,
  ssrf: true,
  deserialisation: true,
  nosql: true,
  ldap: true,
  graphql: true,
  scanner: true,
  protocol: true,
  known_vulnerability: true,
};

/** Whether a site, or a level, says that rules for known vulnerabilities are asked: then its nodes need them. */
export const asksForKnown = (
  rule: { mode?: SystemRuleMode | undefined; known_vulnerability?: SystemRuleMode | undefined } | undefined,
): boolean => rule !== undefined && (rule.known_vulnerability ?? rule.mode ?? 'off') !== 'off';

/** What a site says of its system rules, for the detectors; nothing where all of them are off. */
export function systemRulesOf(rule: EdgeSystemRule): DetectSettings | undefined {
  const settings: DetectSettings = { modes: {}, exceptions: [], fields: rule.fields };
  let isOn = false;
  for (const name in groups) {
    const group = name as SystemRuleGroup;
    const mode = rule[group] ?? rule.mode;
    settings.modes[group] = mode;
    if (mode !== 'off') isOn = true;
  }
  for (const exception of rule.exceptions) settings.exceptions.push(exception as DetectException);
  return isOn ? settings : undefined;
}
