import * as z from 'zod';
import { ipOrCidr, inputText, time } from '../common.ts';
import { condition } from '../condition.ts';

/** `404`, or all of a class: `4xx`, `5xx`. */
export const errorPageStatus = inputText().regex(/^[45](?:\d\d|xx)$/, { error: 'error_status' });
/** A path, or with a slash at its end everything below it. */
const pagePath = inputText()
  .trim()
  .max(500)
  .refine((text) => text.startsWith('/'), { error: 'path_absolute' });
const pageBody = inputText().max(16_384);
/** Where a visitor is sent: on the same site, or by a full address. Nothing in it can end a header line. */
const redirectUrl = inputText()
  .trim()
  .max(2000)
  .refine((text) => text === '' || /^(?:https?:\/\/[^\s/]|\/(?!\/))[\x21-\x7e]*$/.test(text), {
    error: 'redirect_url',
  });

export const errorPageSource = z.enum(['body', 'redirect']);
export const errorPageType = z.enum(['text/html', 'text/plain', 'application/json']);
/** With these an answer has content; a redirect takes the last five. */
const bodyStatuses = new Set([200, 400, 401, 403, 404, 405, 410, 429, 451, 500, 502, 503, 504]);
export const errorRedirectStatuses = [301, 302, 303, 307, 308] as const;

/** What visitors get in place of an error, of the origin's or of the edge's own; the first that fits is taken. */
export const errorPage = z
  .strictObject({
    statuses: z.array(errorPageStatus).min(1, { error: 'required' }).max(50),
    source: errorPageSource.default('body'),
    /** Holds `{{status}}`, `{{request_id}}`, `{{host}}` and `{{client_ip}}`, each filled in as HTML. */
    body: pageBody.default(''),
    content_type: errorPageType.default('text/html'),
    redirect_url: redirectUrl.default(''),
    /** 0 keeps the status; a redirect then has 302. */
    new_status: z.int().min(0).max(599).default(0),
    /** None: all paths. */
    only_paths: z.array(pagePath).max(50).default([]),
    except_paths: z.array(pagePath).max(50).default([]),
    /** Absent: every request. */
    condition: condition.optional(),
    enabled: z.boolean().default(true),
  })
  .check((context) => {
    const page = context.value;
    const issue = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: page });
    if (page.source === 'body' && page.body === '') issue('body', 'required');
    if (page.source === 'redirect' && page.redirect_url === '') issue('redirect_url', 'required');
    const allowed: ReadonlySet<number> =
      page.source === 'body' ? bodyStatuses : new Set(errorRedirectStatuses);
    if (page.new_status !== 0 && !allowed.has(page.new_status)) issue('new_status', 'not_an_option');
  });
export type ErrorPage = z.infer<typeof errorPage>;
export const errorPageStatuses = [...bodyStatuses];

/** The site answers 503 to all but some. */
export const maintenance = z.strictObject({
  enabled: z.boolean().default(false),
  /** It ends by itself then; absent: when it is switched off. */
  until: time.optional(),
  /** What `Retry-After` says where no end is set. */
  retry_after_seconds: z.int().min(1).max(604_800).default(600),
  /** HTML with the placeholders of error pages; empty: the edge's own page. */
  body: pageBody.default(''),
  /** Visitors from these addresses and networks see the site as ever. */
  allowed_ips: z.array(ipOrCidr).max(200).default([]),
});
export type Maintenance = z.infer<typeof maintenance>;

/** What is kept of each request for the access log. Figures and bills count every request, whatever stands here. */
export const siteAccessLog = z.strictObject({
  /** Off: no record is kept, and a node writes no address, path, referer or user agent. */
  enabled: z.boolean().default(true),
  referer: z.boolean().default(true),
  user_agent: z.boolean().default(true),
  /** The part of the address behind `?`. */
  query: z.boolean().default(true),
  /** The fingerprint of the TLS client. */
  ja4: z.boolean().default(false),
  /** One in so many requests becomes a record. */
  sample_rate: z.int().min(1).max(10_000).default(1),
});
export type SiteAccessLog = z.infer<typeof siteAccessLog>;

export const advancedConfig = z
  .strictObject({
    error_pages: z.array(errorPage).max(20).default([]),
    maintenance: maintenance.prefault({}),
    /** Off: what is not stored goes to the visitor as it comes from the origin. */
    response_buffering: z.boolean().default(true),
    access_log: siteAccessLog.prefault({}),
    /** Directives for nginx, from a list of those allowed: see `docs/site-advanced.md`. */
    snippet: inputText().max(8192).default(''),
  })
  .check((context) => {
    const bytes = context.value.error_pages.reduce((sum, page) => sum + page.body.length, 0);
    if (bytes > 131_072)
      context.issues.push({ code: 'custom', path: ['error_pages'], message: 'too_long', input: bytes });
  });
export type AdvancedConfig = z.infer<typeof advancedConfig>;
