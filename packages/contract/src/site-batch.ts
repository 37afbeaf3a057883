import * as z from 'zod';
import {
  count,
  created,
  dateTime,
  hostAddress,
  id,
  idParams,
  json,
  listOf,
  listQuery,
  port,
  inputText,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { siteSectionNames, type SiteSection } from './site-config.ts';
import { protectionSections } from './site-config/protection-sections.ts';
import { siteSelection } from './site-selection.ts';
import { siteCreateInput, siteDelivery } from './site.ts';

/**
 * A batch does one thing to many sites, each line in a transaction of its own: a bad line fails alone, with its reason,
 * and what is done stays done.
 */
export const siteBatchKinds = [
  'create',
  'import',
  'section',
  'certificates',
  'status',
  'sync',
  'remove',
  'remove_forced',
] as const;
export type SiteBatchKind = (typeof siteBatchKinds)[number];

/** `unchanged`: the site was as it should be already. */
export const siteBatchLineStatuses = ['pending', 'done', 'unchanged', 'failed', 'cancelled'] as const;
export type SiteBatchLineStatus = (typeof siteBatchLineStatuses)[number];

/** What a batch is to do, as it is kept. */
export type SiteBatchInput =
  | { kind: 'create'; order_id?: number | undefined }
  | {
      kind: 'import';
      order_id?: number | undefined;
      online: boolean;
      /** By the position of their lines. */
      drafts: { domains: string[]; sections: Record<string, unknown> }[];
    }
  | {
      kind: 'section';
      section: SiteSection;
      value: Record<string, unknown>;
      fields: string[];
      /** The customer whose site the value was copied from, with its secrets. */
      copied_from_client?: number | undefined;
    }
  /** Uploaded certificates for the sites whose domains they cover: their ids by the id of the site. */
  | { kind: 'certificates'; bindings: Record<string, number[]> }
  | { kind: 'status'; status: 'online' | 'offline' }
  | { kind: 'sync' }
  | { kind: 'remove' }
  /** Without waiting for nodes. */
  | { kind: 'remove_forced' };

export const siteBatch = z.strictObject({
  id,
  kind: z.enum(siteBatchKinds),
  /** Of a batch that changes a section. */
  section: z.enum(siteSectionNames).nullable(),
  fields: z.array(z.string()),
  /** `cancelled` when somebody ended it before the last line was done. */
  status: z.enum(['running', 'done', 'cancelled']),
  total: z.int(),
  done: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  /** Empty for customers where an administrator did it. */
  author_name: z.string(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});
export type SiteBatch = z.infer<typeof siteBatch>;

export const siteBatchLine = z.strictObject({
  id: count,
  /** The line of the text that was sent, from 1. */
  position: z.int(),
  text: z.string(),
  site_id: id.nullable(),
  status: z.enum(siteBatchLineStatuses),
  /** Why it failed, in the reader's language. */
  reason: z.string().nullable(),
  /** What the nodes have of the site by now; null where there is none. */
  delivery: siteDelivery.nullable(),
});
export type SiteBatchLine = z.infer<typeof siteBatchLine>;

export const siteBatchLinesMax = 5000;

const protocol = z.enum(['http', 'https', 'follow']);
const originText = inputText()
  .trim()
  .transform((text) => splitHostPort(text))
  .pipe(z.strictObject({ address: hostAddress, port: port.optional() }));

/** `host`, `host:8080`, `[2001:db8::1]:8080`; what is no port stays with the host and is refused there. */
function splitHostPort(text: string): { address: string; port?: number | undefined } {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text);
  if (!match) return { address: text };
  const address = match[1] ?? match[2] ?? '';
  return match[3] === undefined ? { address } : { address, port: Number(match[3]) };
}

const split = (text: string): string[] =>
  text
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** One line as the parts of a site: `domain[,domain…]|origin[:port][,origin…][|protocol]`. */
const lineParts = z.strictObject({
  domains: siteCreateInput.shape.domains,
  origin: z.array(originText).min(1).max(64),
  protocol: inputText().pipe(protocol),
  rest: z.array(z.string()).max(0),
});

/** What stands in a line where an issue of it points: `domains.1` is its second domain. */
export function siteBatchLinePart(line: string, path: string): string {
  const [domains = '', origins = '', chosen = ''] = line.split('|');
  const [field, place] = path.split('.');
  if (field === 'domains')
    return place === undefined ? domains.trim() : (split(domains)[Number(place)] ?? '');
  if (field === 'origin') return split(origins)[Number(place ?? 0)] ?? '';
  if (field === 'other_origins') return split(origins)[Number(place) + 1] ?? '';
  return field === 'protocol' ? chosen.trim() : '';
}

/** A line of a batch as the input of a new site; the issues of a bad one name `domains`, `origin`, `protocol` or `rest`. */
export const siteBatchLineText = inputText()
  .transform((text) => {
    const [domains = '', origin = '', protocolText = '', ...rest] = text.split('|');
    return {
      domains: split(domains),
      origin: split(origin),
      protocol: protocolText.trim().toLowerCase() || 'http',
      rest,
    };
  })
  .pipe(lineParts)
  .transform(({ domains, origin: [first, ...others], protocol: chosen }) => ({
    domains,
    origin: first!.address,
    ...(first!.port === undefined ? {} : { origin_port: first!.port }),
    origin_protocol: chosen,
    other_origins: others,
  }));

const bodyBytesMax = 1024 * 1024;

/** What a section of many sites is changed to. */
const sectionChange = {
  sites: siteSelection,
  /** The section as it is to be; secrets in it are not taken over, each site keeps its own. */
  value: z.record(inputText(), json),
  /** Only these fields of the section; none: all of it. */
  fields: z.array(inputText().max(100)).max(100).default([]),
};

export const siteBatchRoutes = defineRoutes({
  listSiteBatches: {
    method: 'GET',
    path: '/prod-api/site_batch',
    summary: 'List batch operations with their progress, newest first.',
    access: { kind: 'both', permission: 'site.read', sites: false },
    query: listQuery({ kind: z.enum(siteBatchKinds).optional() }),
    response: listOf(siteBatch),
  },
  getSiteBatch: {
    method: 'GET',
    path: '/prod-api/site_batch/{id}',
    summary: 'Get a batch operation with its progress.',
    access: { kind: 'both', permission: 'site.read', sites: false },
    params: idParams,
    response: siteBatch,
  },
  listSiteBatchLines: {
    method: 'GET',
    path: '/prod-api/site_batch/{id}/line',
    summary: 'List the results of a batch operation, line by line.',
    access: { kind: 'both', permission: 'site.read', sites: false },
    params: idParams,
    query: listQuery({ status: z.enum(siteBatchLineStatuses).optional() }),
    response: listOf(siteBatchLine),
  },
  exportFailedBatchLines: {
    method: 'GET',
    path: '/prod-api/site_batch/{id}/failed',
    summary: 'Get all failed lines with their reasons, to correct and send them again.',
    access: { kind: 'both', permission: 'site.read', sites: false },
    params: idParams,
    response: z.strictObject({
      lines: z.array(z.strictObject({ position: z.int(), text: z.string(), reason: z.string() })),
    }),
  },
  createSiteBatch: {
    method: 'POST',
    path: '/prod-api/site_batch',
    summary: 'Add many sites, one per line: `domain[,domain…]|origin[:port][,origin…][|protocol]`.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({
      /** Empty lines are passed over; they count in the numbering. */
      lines: z
        .array(inputText().max(4000))
        .min(1)
        .max(siteBatchLinesMax)
        .check((context) => {
          if (context.value.every((line) => line.trim() === ''))
            context.issues.push({ code: 'custom', path: [0], message: 'required', input: '' });
        }),
      order_id: id.optional(),
    }),
    bodyBytesMax,
    response: created,
  },
  changeSitesSection: {
    method: 'POST',
    path: '/prod-api/site_batch/config',
    summary: 'Change one section of many sites: all of it, or only the given fields.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({ ...sectionChange, section: z.enum(siteSectionNames) }),
    bodyBytesMax,
    response: created,
  },
  changeSitesProtection: {
    method: 'POST',
    path: '/prod-api/site_batch/waf_config',
    summary: 'Change one section of protection of many sites: all of it, or only the given fields.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({ ...sectionChange, section: z.enum(protectionSections) }),
    bodyBytesMax,
    response: created,
  },
  changeSitesStatus: {
    method: 'POST',
    path: '/prod-api/site_batch/status',
    summary:
      'Bring many sites online or take them offline. Sites that an administrator suspended stay suspended: resume each of them individually.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: z.strictObject({ sites: siteSelection, status: z.enum(['online', 'offline']) }),
    bodyBytesMax,
    response: created,
  },
  syncSites: {
    method: 'POST',
    path: '/prod-api/site_batch/sync',
    summary: 'Redeploy many sites to their nodes.',
    access: { kind: 'admin', permission: 'site.sync' },
    body: z.strictObject({ sites: siteSelection }),
    bodyBytesMax,
    response: created,
  },
  removeSites: {
    method: 'POST',
    path: '/prod-api/site/batch_delete',
    summary: 'Delete many sites. Their nodes stop serving them.',
    access: { kind: 'both', permission: 'site.delete', sites: false },
    body: z.strictObject({ sites: siteSelection }),
    bodyBytesMax,
    response: created,
  },
  removeSitesForced: {
    method: 'POST',
    path: '/prod-api/site/batch_delete_forced',
    summary:
      'Delete many sites immediately, including those waiting for nodes to remove them. Nodes that are offline remove them when they reconnect.',
    access: { kind: 'admin', permission: 'site.delete_forced' },
    body: z.strictObject({ sites: siteSelection }),
    bodyBytesMax,
    response: created,
  },
  retrySiteBatch: {
    method: 'POST',
    path: '/prod-api/site_batch/{id}/retry',
    summary: 'Retry the failed and cancelled lines of a batch operation.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    params: idParams,
    response: z.strictObject({ lines: z.int() }),
  },
  cancelSiteBatch: {
    method: 'POST',
    path: '/prod-api/site_batch/{id}/cancel',
    summary: 'Cancel a batch operation. Finished lines are kept, pending lines are not processed.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    params: idParams,
    response: siteBatch,
  },
});
