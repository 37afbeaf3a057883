import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const realIpSection = defineSection('real_ip', { uses: askedByRules });
