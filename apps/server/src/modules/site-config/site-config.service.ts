/** What other modules may ask of what a site sets, and of changing it. */

export { atFilePaths, checkNames, withParts } from './site-file.ts';
export { checkLimits, readOrder, type Bought } from './site-limits.ts';
export { draftOfSite } from './site-draft-config.ts';
export { snippetInFile, snippetOf, tryIn, trySnippetOfRevision } from './site-snippet.ts';
export {
  changeSite,
  commitChange,
  previewRollback,
  rollbackSite,
  writeRevision,
  type Saved,
} from './site-write.ts';
