import * as z from 'zod';
import {
  created,
  dateTime,
  id,
  idParams,
  listOf,
  listQuery,
  nothing,
  optionalIdText,
  optionalText,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { siteSelection } from './site-selection.ts';
import { siteTag, tagInput } from './site-tag.ts';

/**
 * Tags order sites. The platform has its own, which customers do not see; each customer has theirs, which stand on that
 * customer's sites only.
 */
export const tag = z.strictObject({
  ...siteTag.shape,
  /** Null: the platform's. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  site_count: z.int(),
  created_at: dateTime,
});
export type Tag = z.infer<typeof tag>;

/** One owner has so many tags: a screen shows all of them as choices. */
export const tagsMax = 200;

export const tagRoutes = defineRoutes({
  listTags: {
    method: 'GET',
    path: '/prod-api/tags',
    summary: "Tags by name: a customer's own; for administrators those of the platform and of all customers.",
    access: { kind: 'both', permission: 'tag.read' },
    query: listQuery({ name: optionalText, client_id: optionalIdText }),
    response: listOf(tag),
  },
  createTag: {
    method: 'POST',
    path: '/prod-api/tags',
    summary: 'Create a tag of the platform or, as a customer, one of your own.',
    access: { kind: 'both', permission: 'tag.write' },
    body: tagInput,
    response: created,
  },
  updateTag: {
    method: 'PUT',
    path: '/prod-api/tags/{id}',
    summary: 'Change the name and colour of a tag.',
    access: { kind: 'both', permission: 'tag.write' },
    params: idParams,
    body: tagInput,
    response: nothing,
  },
  removeTag: {
    method: 'DELETE',
    path: '/prod-api/tags/{id}',
    summary: 'Delete a tag; the sites that carry it stay.',
    access: { kind: 'both', permission: 'tag.write' },
    params: idParams,
    response: nothing,
  },
  tagSites: {
    method: 'POST',
    path: '/prod-api/tags/batch_tags',
    summary: 'Put tags on many sites and take others away; the answer counts the sites.',
    access: { kind: 'both', permission: 'tag.write' },
    body: z.strictObject({
      sites: siteSelection,
      add: z.array(id).max(50).default([]),
      remove: z.array(id).max(50).default([]),
    }),
    bodyBytesMax: 256 * 1024,
    response: z.strictObject({ site_count: z.int() }),
  },
});
