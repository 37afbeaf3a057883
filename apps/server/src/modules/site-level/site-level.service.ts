/** What other modules may ask of what sites inherit. */

export { draftOfLevel } from './site-level-draft.ts';
export { documentOfLevel, missingLevels, publishLevels } from './site-level-publish.ts';
export { removeLevel } from './site-level-write.ts';
export { changePlatformRules, readPlatformRules } from './platform-rules.ts';
