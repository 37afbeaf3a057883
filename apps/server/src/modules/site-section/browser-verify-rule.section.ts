import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const browserVerifyRuleSection = defineSection('browser_verify_rule', { uses: askedByRules });
