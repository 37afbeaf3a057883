import * as z from 'zod';
import {
  count,
  dateTime,
  hostsText,
  id,
  idParams,
  idsText,
  inputText,
  listOf,
  listQuery,
  optionalIdText,
} from './common.ts';
import { patternProblem } from './condition-check.ts';
import { defineRoutes } from './define.ts';
import { patternLengthMax } from './pattern.ts';
import { documentDelivery, siteDelivery } from './site.ts';

/**
 * Content that nodes are to fetch again: the URLs that are named, everything below folders, what the origin tagged, or whole sites. A node that has
 * acknowledged it serves nothing of what was stored before.
 */
export const siteRefreshTypes = ['clean_url', 'clean_dir', 'clean_tag', 'clean_site'] as const;
export type SiteRefreshType = (typeof siteRefreshTypes)[number];

/**
 * `delete`: what is stored is never served again. `revalidate`: it is, once the origin was asked for it with its validators and has said that it
 * is still good (304); what has none, is larger than 1 MiB or is kept in parts is fetched anew.
 */
export const siteRefreshModes = ['delete', 'revalidate'] as const;
export type SiteRefreshMode = (typeof siteRefreshModes)[number];

export const refreshUrlsMax = 10_000;
export const refreshFoldersMax = 1000;
export const refreshSitesMax = 200;
export const refreshTagsMax = 1000;
/** Of which together the load is told. */
export const refreshLoadSitesMax = 20;
export const refreshLoadHostsMax = 100;
/** What products limit by customer within 24 hours; by the names of `productLimits`. */
export const refreshQuotas = [
  'refresh_urls_per_day',
  'refresh_folders_per_day',
  'prefetch_urls_per_day',
] as const;
export type RefreshQuota = (typeof refreshQuotas)[number];
/** Hours for which a node that is away can catch up. One that comes back later drops all that it stored before. */
export const refreshHours = 24;

/** Where a URL leads, as nodes know it: the host without its port; path and query as they are sent. */
export interface RefreshTarget {
  host: string;
  target: string;
}

/** As a browser reads it (WHATWG URL); nothing where it is no address of a site. */
export function refreshTarget(text: string): RefreshTarget | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, username, password, pathname, search } = new URL(text);
  if (username !== '' || password !== '') return undefined;
  return { host: hostname, target: pathname + search };
}

export const refreshUrl = inputText()
  .trim()
  .max(4096)
  .refine((text) => refreshTarget(text) !== undefined, { error: 'url' });
/** What is after its last `/` belongs to the name of the folder: `/a` is `/a/`. */
const folder = refreshUrl.refine((text) => !/[?#]/.test(text), { error: 'refresh_folder' });

/** As origins write them in `Cache-Tag` (by commas) and `Surrogate-Key` (by spaces); case makes no difference. */
const tag = inputText()
  .trim()
  .toLowerCase()
  .min(1)
  .max(256)
  .refine((text) => /^[!-+\--~]+$/.test(text), { error: 'cache_tag' });

/** Asked of path and query as nodes store them, anywhere in them; bytes beyond ASCII are written `%C3%BC`. */
export const refreshPattern = inputText()
  .min(1)
  .max(patternLengthMax)
  .superRefine((pattern, context) => {
    const problem = patternProblem(pattern, false);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
export const refreshPatternRateMax = 1000;
/** URLs that one refresh by a pattern finds; what there is beyond is left as it is, and the task says so. */
export const refreshPatternUrlsMax = 100_000;

const siteRefresh = z.strictObject({
  id,
  type: z.enum(siteRefreshTypes),
  mode: z.enum(siteRefreshModes),
  site_id: id,
  /** Its first domain. */
  site_name: z.string(),
  client_id: id,
  client_name: z.string(),
  /** How many URLs, folders or tags; 1 for a whole site. */
  count: z.int(),
  /** The first of them; empty for a whole site. */
  first: z.string(),
  /** Empty for customers where an administrator did it. */
  created_by: z.string(),
  created_at: dateTime,
  delivery: siteDelivery,
});
/** Null is unlimited: operators always are. */
const quota = z.strictObject({ limit: count.nullable(), used: count });
export type SiteRefresh = z.infer<typeof siteRefresh>;

const probed = z.strictObject({
  /** Null: there was no answer. */
  status: z.int().nullable(),
  /** `X-Cache`; empty where the site does not say it. */
  cache: z.string(),
  age_seconds: count.nullable(),
  milliseconds: count,
});
const nodeProbe = z.strictObject({
  node_id: id,
  node_name: z.string(),
  /** Two requests, one after the other; empty where the node does not answer. */
  answers: z.array(probed),
  /** What it serves was fetched after the refresh; null where that cannot be said. */
  fresh: z.boolean().nullable(),
});
export type NodeProbe = z.infer<typeof nodeProbe>;

const mode = z.enum(siteRefreshModes).default('delete');
const read = { kind: 'both', permission: 'site.read' } as const;
const refresh = { kind: 'both', permission: 'site.refresh' } as const;
const started = z.strictObject({
  /** One for each site that is concerned. */
  ids: z.array(id),
  /** Null where no node has the sites. */
  task_id: id.nullable(),
});

export const siteRefreshRoutes = defineRoutes({
  listSiteRefreshes: {
    method: 'GET',
    path: '/prod-api/site_refresh',
    summary: 'List cache refreshes, newest first, with how many nodes have done each.',
    access: read,
    query: listQuery({
      site_id: optionalIdText,
      client_id: optionalIdText,
      type: z.enum(siteRefreshTypes).optional(),
    }),
    response: listOf(siteRefresh),
  },
  getRefreshQuotas: {
    method: 'GET',
    path: '/prod-api/site_refresh/quota',
    summary:
      'Get what the caller may still refresh and prefetch: what the plans allow within 24 hours, and what was used of it.',
    access: read,
    response: z.strictObject({
      refresh_urls_per_day: quota,
      refresh_folders_per_day: quota,
      prefetch_urls_per_day: quota,
    }),
  },
  getRefreshLoad: {
    method: 'GET',
    path: '/prod-api/site_refresh/load',
    summary:
      'Get how many requests a second of sites or hosts the cache answered in the last hour, which is what the origin gets besides right after a refresh of all of them.',
    access: refresh,
    query: z.strictObject({
      site_ids: idsText(refreshLoadSitesMax).optional(),
      hosts: hostsText(refreshLoadHostsMax).optional(),
    }),
    response: z.strictObject({ cached_per_second: z.number(), origin_per_second: z.number() }),
    cost: 'expensive',
  },
  getSiteRefresh: {
    method: 'GET',
    path: '/prod-api/site_refresh/{id}',
    summary: 'Get a cache refresh with its URLs and what each node says of it.',
    access: read,
    params: idParams,
    response: z.strictObject({
      ...siteRefresh.shape,
      /** URLs or folders. */
      urls: z.array(z.string()),
      tags: z.array(z.string()),
      /** Empty once nodes need not catch up any more. */
      nodes: documentDelivery.shape.nodes,
    }),
  },
  probeSiteRefresh: {
    method: 'POST',
    path: '/prod-api/site_refresh/{id}/probe',
    summary:
      'Request a URL of the site twice at each of its nodes, and tell whether what they serve was fetched after the refresh.',
    access: refresh,
    params: idParams,
    body: z.strictObject({ url: refreshUrl }),
    response: z.strictObject({ nodes: z.array(nodeProbe) }),
    cost: 'refresh',
    unlogged: true,
  },
  createSiteRefresh: {
    method: 'POST',
    path: '/prod-api/site_refresh',
    summary:
      'Refresh the cache of URLs, of folders with everything below them, of what the origin tagged, or of whole sites. Nodes fetch the content again when it is next requested.',
    access: refresh,
    body: z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('clean_url'),
        mode,
        urls: z.array(refreshUrl).min(1).max(refreshUrlsMax),
      }),
      z.strictObject({
        type: z.literal('clean_dir'),
        mode,
        urls: z.array(folder).min(1).max(refreshFoldersMax),
      }),
      z.strictObject({
        type: z.literal('clean_tag'),
        mode,
        site_ids: z.array(id).min(1).max(refreshSitesMax),
        tags: z.array(tag).min(1).max(refreshTagsMax),
      }),
      z.strictObject({
        type: z.literal('clean_site'),
        mode,
        site_ids: z.array(id).min(1).max(refreshSitesMax),
      }),
    ]),
    bodyBytesMax: 4 * 1024 * 1024,
    response: started,
  },
  createPatternRefresh: {
    method: 'POST',
    path: '/prod-api/site_refresh/pattern',
    summary:
      'Refresh the URLs of one site whose path and query match a regular expression. Its nodes list what they have stored, and so many URLs a second are refreshed, as a task.',
    access: { kind: 'admin', permission: 'site.refresh' },
    body: z.strictObject({
      site_id: id,
      pattern: refreshPattern,
      mode,
      /** URLs a second. */
      rate: z.int().min(1).max(refreshPatternRateMax).default(200),
    }),
    response: z.strictObject({ task_id: id }),
  },
  cleanSiteCache: {
    method: 'POST',
    path: '/prod-api/site/{id}/cache_clean_all',
    summary: 'Refresh the whole cache of one site.',
    access: refresh,
    params: idParams,
    response: started,
  },
});
