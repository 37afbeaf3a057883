import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const securitySection = defineSection('security', { uses: askedByRules });
