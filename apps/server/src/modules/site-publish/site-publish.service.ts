/** What other modules may ask of sites on their way to nodes. */

export { systemAuthor, type Author, type RevisionAuthor, type SiteWriter } from './site-author.ts';
export { publishSite, unpublishSite } from './site-publish.ts';
export {
  lockSite,
  lockSiteAnyhow,
  lockSiteIfThere,
  siteSubject,
  siteTask,
  siteWithin,
  toPublished,
  type PublishedSite,
} from './site-row.ts';
export { forceSync, refreshDocuments } from './site-sync.ts';
