import type {
  EdgeSystemRule,
  SystemRuleGroup,
  SystemRuleMode,
} from '@breakwater/contract/site-config/used-system-rule';
import type { DetectException, DetectSettings, LeakSettings } from './types.ts';

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
  leak: true,
};

/** Whether a site, or a level, says that rules for known vulnerabilities are asked: then its nodes need them. */
export const asksForKnown = (
  rule: { mode?: SystemRuleMode | undefined; known_vulnerability?: SystemRuleMode | undefined } | undefined,
): boolean => rule !== undefined && (rule.known_vulnerability ?? rule.mode ?? 'off') !== 'off';

/**
 * The mode of a group. Leaks are looked for only where the group says so itself: what a site has said of attacks is no wish to have
 * its answers read, which costs each one that comes from an origin a hop within the node.
 */
export function systemRuleModeOf(
  rule: Partial<Pick<EdgeSystemRule, 'mode' | SystemRuleGroup>>,
  group: SystemRuleGroup,
): SystemRuleMode {
  return rule[group] ?? (group === 'leak' ? 'off' : (rule.mode ?? 'off'));
}

/** What a site says of leaks in answers; nothing where nobody looks for them. */
export function leakRulesOf(rule: EdgeSystemRule): LeakSettings | undefined {
  const mode = systemRuleModeOf(rule, 'leak');
  return mode === 'off' ? undefined : { mode, exceptions: rule.exceptions as DetectException[] };
}

/** What a site says of its system rules, for the detectors of attacks; nothing where all of them are off. */
export function systemRulesOf(rule: EdgeSystemRule): DetectSettings | undefined {
  const settings: DetectSettings = { modes: {}, exceptions: [], fields: rule.fields };
  let isOn = false;
  for (const name in groups) {
    const group = name as SystemRuleGroup;
    const mode = systemRuleModeOf(rule, group);
    settings.modes[group] = mode;
    if (mode !== 'off' && group !== 'leak') isOn = true;
  }
  for (const exception of rule.exceptions) settings.exceptions.push(exception as DetectException);
  return isOn ? settings : undefined;
}
