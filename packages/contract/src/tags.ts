import * as z from 'zod';
import { id, optionalIdText, optionalText } from './common.ts';
import { crudRoutes, ownedEntity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { siteSelection } from './site-selection.ts';
import { siteTag, tagInput } from './site-tag.ts';

/**
 * Tags order sites. The platform has its own, which customers do not see; each customer has theirs, which stand on that
 * customer's sites only.
 */
export const tag = ownedEntity({ ...siteTag.shape, site_count: z.int() });
export type Tag = z.infer<typeof tag>;

/** So many changes of one call, a tag of a site each, are named in its answer. */
export const taggedNamedMax = 10_000;

/** One owner has so many tags. */
export const tagsMax = 200;

export const tagRoutes = defineRoutes({
  ...crudRoutes('Tag', 'Tags', {
    path: 'tags',
    owner: 'client',
    permission: 'tag',
    input: tagInput,
    item: tag,
    filters: { name: optionalText, client_id: optionalIdText },
    summaries: {
      list: 'List tags by name. Customers see their own, administrators those of the platform and of all customers.',
      create: 'Create a tag of the platform or, as a customer, your own.',
      update: 'Change the name and colour of a tag.',
      remove: 'Delete a tag. Sites that have it are kept.',
    },
  }),
  tagSites: {
    method: 'POST',
    path: '/prod-api/tags/batch_tags',
    summary:
      'Add tags to sites and remove others. Returns the number of sites, and which of them each tag was added to or removed from.',
    access: { kind: 'both', permission: 'tag.write' },
    body: z.strictObject({
      sites: siteSelection,
      add: z.array(id).max(50).default([]),
      remove: z.array(id).max(50).default([]),
    }),
    bodyBytesMax: 256 * 1024,
    response: z.strictObject({
      site_count: z.int(),
      /** For taking it back: a tag that a site had already is not named. Empty where more than `taggedNamedMax` were changed. */
      changed: z.array(
        z.strictObject({ tag_id: id, change: z.enum(['added', 'removed']), site_ids: z.array(id) }),
      ),
    }),
  },
});
