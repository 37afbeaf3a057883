import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const contentRewriteSection = defineSection('content_rewrite', { uses: askedByRules });
