import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const matcherRuleSection = defineSection('matcher_rule', {
  uses: askedByRules,
  publish: (value) => (value.rules.length === 0 ? {} : { matcher_rule: value }),
});
