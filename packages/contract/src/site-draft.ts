import * as z from 'zod';
import { created, id, inputText, json, siteDomains } from './common.ts';
import { defineRoutes } from './define.ts';
import { siteSectionNames } from './site-config.ts';

/**
 * Sites read from another system's configuration. Nothing is made until the drafts are sent back, with what the reader
 * changed in them; what could not be taken over stands beside them, with the reason.
 */

export const draftSources = ['nginx', 'npm', 'goedge', 'cloudflare'] as const;
export type DraftSource = (typeof draftSources)[number];

/** Why something was not taken over. */
export const draftReasons = [
  'unknown',
  'include',
  'no_domain',
  'bad_domain',
  'no_origin',
  'several_origins',
  'files',
  'program',
  'certificate',
  'port',
  'force_https',
  'variable',
  'pattern',
  'condition',
  'own_setting',
  'bad_value',
  'password',
  'stream',
  'not_proxied',
  'not_web',
  'disabled',
] as const;
export type DraftReason = (typeof draftReasons)[number];

export const draftNote = z.strictObject({
  /** In the text that was given, from 1; absent in a format without lines. */
  line: z.int().optional(),
  /** A directive, a field or a record, as it was written. */
  what: z.string(),
  reason: z.enum(draftReasons),
});
export type DraftNote = z.infer<typeof draftNote>;

/** By name: only what the configuration said. */
const sections = z.partialRecord(z.enum(siteSectionNames), z.record(inputText(), json));

export const siteDraft = z.strictObject({
  /** Where it began. */
  line: z.int().optional(),
  domains: z.array(z.string()),
  sections,
  notes: z.array(draftNote),
});
export type SiteDraft = z.infer<typeof siteDraft>;

export const draftsMax = 500;
const draftTextMax = 1_000_000;
const bodyBytesMax = 3 * 1024 * 1024;

export const siteDraftRoutes = defineRoutes({
  readSiteDrafts: {
    method: 'POST',
    path: '/prod-api/site_batch/draft',
    summary: 'Parse sites from the configuration of another system without creating them.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({ source: z.enum(draftSources), text: inputText().min(1).max(draftTextMax) }),
    bodyBytesMax,
    unlogged: true,
    response: z.strictObject({
      drafts: z.array(siteDraft),
      /** Of the text as a whole. */
      notes: z.array(draftNote),
    }),
  },
  importSiteDrafts: {
    method: 'POST',
    path: '/prod-api/site_batch/import',
    summary: 'Create sites from drafts as a batch operation.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({
      drafts: z
        .array(z.strictObject({ domains: siteDomains, sections }))
        .min(1)
        .max(draftsMax),
      /** Else they are offline until somebody has looked at them. */
      online: z.boolean().default(false),
      order_id: id.optional(),
    }),
    bodyBytesMax,
    response: created,
  },
});
