import { defineSection } from './section.ts';

/** Nodes are told what is set of it, and need nothing besides. */
export const blockRefererSection = defineSection('block_referer', {});
