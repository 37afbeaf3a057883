import { defineSection } from './section.ts';

/** Nodes are told what is set of it, and need nothing besides. */
export const speedOptimizeSection = defineSection('speed_optimize', {});
