import type { EdgeSystemRule, SystemRuleException, UsedSystemRule } from '@breakwater/contract';
import { asksForKnown } from '@breakwater/policy/detect/settings';
import { defineSection } from './section.ts';

export const usedSystemRuleSection = defineSection('used_system_rule', {
  uses: (value) => ({ knownVulnerabilities: asksForKnown(value) }),
  publishOwn(own) {
    const { exceptions, ...rest } = own;
    return { used_system_rule: exceptions === undefined ? rest : { ...rest, ...compiled({ exceptions }) } };
  },
});

/** Nodes need no notes, and compare times as numbers. */
const compiled = ({
  exceptions,
}: Pick<UsedSystemRule, 'exceptions'>): Pick<EdgeSystemRule, 'exceptions'> => ({
  exceptions: exceptions.map(compileException),
});

function compileException({ path, parameter, detector, until }: SystemRuleException) {
  return {
    ...(path === undefined ? {} : { path }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(detector === undefined ? {} : { detector }),
    ...(until === undefined ? {} : { until: Math.floor(Date.parse(until) / 1000) }),
  };
}
