import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const ccGuardianRuleSection = defineSection('cc_guardian_rule', { uses: askedByRules });
