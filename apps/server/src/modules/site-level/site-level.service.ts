/** What other modules may ask of what sites inherit. */

export { publishMissingLevels } from './site-level-publish.ts';
export { removeLevel } from './site-level-write.ts';
