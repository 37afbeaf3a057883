import { bansFromAll } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const matcherRuleSection = defineSection('matcher_rule', {
  // Of levels only administrators write; a site's rules are its customer's, and others' sites are not.
  check({ after: { matcher_rule: after }, path }) {
    const at = after.rules.findIndex(bansFromAll);
    if (at >= 0) throw invalid(`${path}.rules.${at}.ban.scope`, 'ban_platform');
  },
  uses: askedByRules,
  publish: (value) => (value.rules.length === 0 ? {} : { matcher_rule: value }),
});
