import * as z from 'zod';
import { count, dateTime, id, idParams, inputText, listOf, listQuery, optionalIdText } from './common.ts';
import { defineRoutes } from './define.ts';
import { refreshUrl, refreshUrlsMax } from './site-refresh.ts';
import { taskStatuses } from './task.ts';

/**
 * Content that nodes are to have before visitors ask for it. Each node asks its own front for it, as a visitor does, so what it
 * stores is what visitors get.
 */
export const prefetchUrlsMax = refreshUrlsMax;
/** URLs times variants times nodes. */
export const prefetchRequestsMax = 200_000;

/** What visitors accept: answers of each are kept apart. `identity` is a request without the field. */
export const prefetchEncodings = ['identity', 'gzip', 'br', 'br, gzip'] as const;
export type PrefetchEncoding = (typeof prefetchEncodings)[number];

/** `Accept-Language`, as browsers send it. */
const language = inputText()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => /^[A-Za-z0-9*=;,. -]+$/.test(text), { error: 'language_field' });

const prefetchInput = z
  .strictObject({
    urls: z.array(refreshUrl).max(refreshUrlsMax).default([]),
    /** Of one site; an index of others is followed. May be compressed. */
    sitemap: refreshUrl.optional(),
    /** Empty: all nodes of the site. */
    node_ids: z.array(id).max(1000).default([]),
    /** At once, of each node. */
    concurrency: z.int().min(1).max(16).default(2),
    /** A second, of all nodes together: what the origin is asked at the most. */
    rate: z.int().min(1).max(1000).default(10),
    encodings: z.array(z.enum(prefetchEncodings)).min(1).default(['br, gzip']),
    /** Empty: without the field. */
    languages: z.array(language).max(20).default([]),
    /** HLS playlists (`.m3u8`) and DASH presentations (`.mpd`) among them are read, and what they list is fetched too; one level. */
    playlists: z.boolean().default(false),
  })
  .refine(({ urls, sitemap }) => urls.length > 0 || sitemap !== undefined, {
    error: 'required',
    path: ['urls'],
  });

const sitePrefetch = z.strictObject({
  id,
  site_id: id,
  /** Its first domain. */
  site_name: z.string(),
  client_id: id,
  client_name: z.string(),
  /** The first URL, or the sitemap. */
  first: z.string(),
  status: z.enum(taskStatuses),
  task_id: id,
  /** URLs, with those that were found in a sitemap or in playlists. */
  urls: count,
  nodes: count,
  /** Requests: URLs times variants times nodes. */
  total: count,
  done: count,
  /** Of those that are done: refused, or no answer. */
  failed: count,
  bytes: count,
  /** Empty for customers where an administrator did it. */
  created_by: z.string(),
  created_at: dateTime,
});
export type SitePrefetch = z.infer<typeof sitePrefetch>;

/** Why there was no answer. */
export const prefetchErrors = ['timed_out', 'failed', 'node_away'] as const;
export type PrefetchError = (typeof prefetchErrors)[number];

const prefetchResult = z.strictObject({
  id: z.string(),
  url: z.string(),
  node_id: id,
  node_name: z.string(),
  encoding: z.enum(prefetchEncodings),
  /** Empty: without the field. */
  language: z.string(),
  /** Null: there was no answer. */
  status: z.int().nullable(),
  bytes: count,
  milliseconds: count,
  /** As `X-Cache` says it; empty where the site does not say it. */
  cache: z.string(),
  error: z.enum(prefetchErrors).nullable(),
  at: dateTime,
});
export type PrefetchResult = z.infer<typeof prefetchResult>;

export const prefetchOutcomes = ['ok', 'failed'] as const;
const read = { kind: 'both', permission: 'site.read' } as const;
const prefetch = { kind: 'both', permission: 'site.refresh' } as const;

export const sitePrefetchRoutes = defineRoutes({
  listSitePrefetches: {
    method: 'GET',
    path: '/prod-api/site_prefetch',
    summary: 'List prefetches, newest first, with how far each is.',
    access: read,
    query: listQuery({ site_id: optionalIdText, client_id: optionalIdText }),
    response: listOf(sitePrefetch),
  },
  getSitePrefetch: {
    method: 'GET',
    path: '/prod-api/site_prefetch/{id}',
    summary: 'Get a prefetch with what was asked for.',
    access: read,
    params: idParams,
    response: z.strictObject({
      ...sitePrefetch.shape,
      sitemap: z.string(),
      concurrency: z.int(),
      rate: z.int(),
      encodings: z.array(z.enum(prefetchEncodings)),
      languages: z.array(z.string()),
      playlists: z.boolean(),
      /** More was found than may be fetched. */
      truncated: z.boolean(),
    }),
  },
  listPrefetchResults: {
    method: 'GET',
    path: '/prod-api/site_prefetch/{id}/result',
    summary: 'List what each node was answered for each URL of a prefetch, newest first.',
    access: read,
    params: idParams,
    query: listQuery({ outcome: z.enum(prefetchOutcomes).optional(), node_id: optionalIdText }),
    response: listOf(prefetchResult),
  },
  createSitePrefetch: {
    method: 'POST',
    path: '/prod-api/site_prefetch',
    summary:
      'Have nodes fetch URLs, or what a sitemap lists, before visitors ask for it. There is a prefetch for each site.',
    access: prefetch,
    body: prefetchInput,
    bodyBytesMax: 4 * 1024 * 1024,
    response: z.strictObject({ ids: z.array(id) }),
  },
  stopSitePrefetch: {
    method: 'POST',
    path: '/prod-api/site_prefetch/{id}/stop',
    summary: 'Stop a prefetch. What is fetched already stays.',
    access: prefetch,
    params: idParams,
    response: z.strictObject({}),
  },
  retrySitePrefetch: {
    method: 'POST',
    path: '/prod-api/site_prefetch/{id}/retry',
    summary: 'Fetch again what failed, and what a stopped prefetch had not come to.',
    access: prefetch,
    params: idParams,
    response: z.strictObject({ requests: count }),
  },
});
