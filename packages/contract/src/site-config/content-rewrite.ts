import * as z from 'zod';
import { inputText } from '../common.ts';
import { condition } from '../condition.ts';
import {
  checkHeaderRule,
  checkRedirect,
  checkUrlRewrite,
  htmlTypes,
  isMediaTypePattern,
} from './content-rewrite-check.ts';

/**
 * What a site changes of requests and answers: see `docs/rewriting.md`. Values may hold `${host}`, `${scheme}`,
 * `${method}`, `${path}`, `${query}`, `${uri}`, `${client_ip}` and `${request_id}`; after a regular expression also `$1`
 * to `$9`; `$$` is a dollar sign.
 */

const pattern = inputText().max(500);

export const redirectType = z.enum(['url', 'prefix', 'regex', 'domain', 'port']);
export const redirectStatuses = [301, 302, 303, 307, 308] as const;

/** Sends the visitor elsewhere; the first that fits is taken. */
export const redirectRule = z
  .strictObject({
    type: redirectType,
    /**
     * url: `/old`, `/old?id=3` or `https://host/old`; prefix: a folder, written alike; regex: a pattern on the path;
     * domain: `old.example.com` or `*.example.com`; port: the port that the visitor used.
     */
    from: inputText().trim().min(1, { error: 'required' }).max(500),
    /** A path or a full address. Its host is written out, or `${host}`: no part of a request chooses it. */
    to: inputText().trim().min(1, { error: 'required' }).max(2000),
    /** prefix: what follows the folder goes on behind `to`. domain, port: the path does. */
    keep_path: z.boolean().default(true),
    /** The visitor's arguments go on behind those of `to`. */
    keep_query: z.boolean().default(true),
    status: z.literal(redirectStatuses).default(302),
    /** url, prefix and regex: by ASCII letters. */
    case_insensitive: z.boolean().default(false),
    enabled: z.boolean().default(true),
    /** Absent: always. */
    condition: condition.optional(),
  })
  .check((context) => checkRedirect(context.value, context.issues));
export type RedirectRule = z.infer<typeof redirectRule>;

export const urlRewriteType = z.enum(['path', 'prefix', 'regex']);

/** Another path for the origin and the cache; the visitor sees the old one. */
export const urlRewriteRule = z
  .strictObject({
    type: urlRewriteType,
    from: inputText().trim().min(1, { error: 'required' }).max(500),
    /** A path, with arguments where it has any of its own. */
    to: inputText().trim().min(1, { error: 'required' }).max(2000),
    /** Off: only the arguments of `to` are left. */
    keep_query: z.boolean().default(true),
    case_insensitive: z.boolean().default(false),
    /** break: no later rule is looked at; continue: they are, on the new path. */
    flow: z.enum(['break', 'continue']).default('break'),
    enabled: z.boolean().default(true),
    /** Absent: always. */
    condition: condition.optional(),
  })
  .check((context) => checkUrlRewrite(context.value, context.issues));
export type UrlRewriteRule = z.infer<typeof urlRewriteRule>;

export const headerAction = z.enum(['set', 'add', 'remove', 'replace']);

function headerRule(side: 'request' | 'response') {
  return z
    .strictObject({
      action: headerAction.default('set'),
      /** A field name by RFC 9110 §5.1. Not those that frame a message or that the edge sets itself. */
      name: inputText().trim().min(1, { error: 'required' }).max(100),
      /** replace: every match of this in the value there is. */
      pattern: pattern.default(''),
      value: inputText().max(2000).default(''),
      enabled: z.boolean().default(true),
      /** Absent: always. */
      condition: condition.optional(),
    })
    .check((context) => checkHeaderRule(context.value, side, context.issues));
}
export const requestHeaderRule = headerRule('request');
export const responseHeaderRule = headerRule('response');
export type HeaderRule = z.infer<typeof requestHeaderRule>;

/** Text for other text in the content of answers, letter by letter. */
export const bodyReplacement = z.strictObject({
  find: inputText().min(1, { error: 'required' }).max(1000),
  replace: inputText().max(4000).default(''),
  enabled: z.boolean().default(true),
});
export type BodyReplacement = z.infer<typeof bodyReplacement>;

/** Changed once, as an answer comes from the origin: what is stored is the new content. */
export const bodyRewrite = z.strictObject({
  /** Of all of it. Absent: always. */
  condition: condition.optional(),
  replacements: z.array(bodyReplacement).max(30).default([]),
  /** Of `replacements`: a media type, or `text/*`. */
  content_types: z
    .array(inputText().trim().toLowerCase().max(100).refine(isMediaTypePattern, { error: 'media_type' }))
    .max(20)
    .default([...htmlTypes]),
  /** Longer content is handed on as it is. */
  max_bytes: z.int().min(1024).max(67_108_864).default(4_194_304),
  /** HTML: once, before the first `</head>` and the first `</body>`. */
  head_html: inputText().max(16_384).default(''),
  body_html: inputText().max(16_384).default(''),
});
export type BodyRewrite = z.infer<typeof bodyRewrite>;

export const contentRewrite = z.strictObject({
  redirects: z.array(redirectRule).max(200).default([]),
  url_rewrites: z.array(urlRewriteRule).max(100).default([]),
  request_headers: z.array(requestHeaderRule).max(100).default([]),
  response_headers: z.array(responseHeaderRule).max(100).default([]),
  body: bodyRewrite.prefault({}),
});
export type ContentRewrite = z.infer<typeof contentRewrite>;
