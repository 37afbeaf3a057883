import * as z from 'zod';
import { inputText, plainExtension, time } from '../common.ts';
import { condition } from '../condition.ts';
import { checkCacheRule } from './cache-rule-check.ts';

export const cacheRuleType = z.enum(['suffix', 'folder', 'full_path', 'regex', 'all']);
/** `sorted` counts all arguments, whatever their order. */
export const queryPolicy = z.enum(['all', 'sorted', 'none', 'include', 'exclude']);

/** A field name by RFC 9110 §5.1. Those in a key must not tell one person from another. */
const fieldName = inputText()
  .toLowerCase()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/, { error: 'field_name' })
  .refine((name) => !['cookie', 'authorization', 'host', 'range', 'accept-encoding'].includes(name), {
    error: 'field_name_reserved',
  });
/** A cookie's name by RFC 6265; `name_*` stands for all that begin so. */
const cookieName = inputText().regex(/^[A-Za-z0-9!#$%&'+.^_`|~-]{1,64}\*?$/, { error: 'cookie_name' });
const plainCookieName = inputText().regex(/^[A-Za-z0-9!#$%&'+.^_`|~-]{1,64}$/, { error: 'cookie_name' });

/** A well-formed tag in its common parts (RFC 5646 §2.1). */
const languageTag = inputText()
  .trim()
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/, { error: 'language_tag' });

const yearSeconds = 31_536_000;
const seconds = z.int().min(0).max(yearSeconds);
const bytes = z.int().min(0).max(1_099_511_627_776);
/** Statuses that a rule can give a lifetime of their own; 206 is not among them. */
export const cacheableStatuses = [
  200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 429, 451, 500, 501, 502,
  503, 504,
] as const;
/** The parts that large answers can be kept in. nginx knows each by a place of its own in its configuration. */
export const sliceSizes = [0, 1_048_576, 4_194_304, 16_777_216] as const;

const cacheRuleShape = z.strictObject({
  type: cacheRuleType,
  /** suffix: `jpg`; folder: `/static/`; full_path: `/index.html`; regex: a pattern on the path; all: empty. */
  content: z.array(inputText().min(1).max(500)).max(100).default([]),
  /** Of `content`, by ASCII letters. A suffix is never told by case. */
  case_insensitive: z.boolean().default(false),
  /** Absent: every request. What such a rule stores is given to no request of another rule. */
  condition: condition.optional(),
  action: z.enum(['cache', 'bypass', 'follow_origin']).default('cache'),
  ttl_seconds: seconds.default(0),
  /** Lifetimes of their own for statuses, before `ttl_seconds`. */
  ttl_by_status: z
    .array(
      z.strictObject({
        statuses: z
          .array(
            z
              .int()
              .min(100)
              .max(599)
              .refine((status) => (cacheableStatuses as readonly number[]).includes(status), {
                error: 'status_not_cacheable',
              }),
          )
          .min(1)
          .max(20),
        ttl_seconds: seconds,
      }),
    )
    .max(10)
    .default([]),
  query_policy: queryPolicy.default('all'),
  /** Argument names for `include` and `exclude`. */
  query_names: z.array(inputText().min(1).max(100)).max(50).default([]),
  /** Request fields and cookies by whose values answers are kept apart, besides the origin's `Vary`. */
  key_headers: z.array(fieldName).max(5).default([]),
  key_cookies: z.array(plainCookieName).max(5).default([]),
  /** Apart for phones and for everything else. */
  vary_device: z.boolean().default(false),
  /** A request with one of these cookies bypasses the cache. */
  no_cache_cookies: z.array(cookieName).max(20).default([]),
  /** What browsers are told, whatever is stored here; 0: ask every time. Absent: what the origin says. */
  browser_ttl_seconds: seconds.optional(),
  /** In place of the origin's `stale-if-error` and `stale-while-revalidate` (RFC 5861). */
  stale_if_error_seconds: seconds.optional(),
  stale_while_revalidate_seconds: seconds.optional(),
  /** Keep what the origin marks `private`, `no-store`, `no-cache` or `must-revalidate` for one visitor or none. */
  ignore_cache_control: z.boolean().default(false),
  /** Keep answers that set cookies; nobody gets the cookies then. */
  ignore_set_cookie: z.boolean().default(false),
  /** suffix: apply to no answer whose `Content-Type` is absent or cannot be a file of that suffix. */
  match_content_type: z.boolean().default(true),
  /** One request at a time asks the origin for what is not stored. */
  lock: z.boolean().default(true),
  /** Keep large answers in parts of this size, asked for with `Range`; 0: whole. */
  slice_bytes: z.literal(sliceSizes).default(0),
  /** The request that stores: 1 the first, 2 the second within a day. */
  min_uses: z.int().min(1).max(100).default(1),
  /** Answers of other sizes, or of none stated, are not stored. */
  min_size_bytes: bytes.optional(),
  max_size_bytes: bytes.optional(),
  enabled: z.boolean().default(true),
});

/** One cache rule; the first that matches a request decides. Only GET and HEAD are ever answered from the cache. */
export const cacheRule = cacheRuleShape
  .overwrite((rule) =>
    rule.type === 'suffix' ? { ...rule, content: rule.content.map(plainExtension) } : rule,
  )
  .check((context) => checkCacheRule(context.value, context.issues));
export type CacheRule = z.infer<typeof cacheRule>;

/** A rule as a node may have it on its disk: what came later may be absent, and is as by default. */
export const edgeCacheRule = cacheRuleShape.partial().required({
  type: true,
  content: true,
  action: true,
  ttl_seconds: true,
  query_policy: true,
  query_names: true,
  enabled: true,
});
export type EdgeCacheRule = z.infer<typeof edgeCacheRule>;

export const cacheRuleSection = z.strictObject({
  rules: z.array(cacheRule).max(100),
  /** Answers say in `X-Cache` where they came from. */
  cache_header: z.boolean().default(true),
  /** And in `Cache-Status` (RFC 9211) whether they were stored, what the origin was asked for, and what it said. */
  cache_status_header: z.boolean().default(false),
  /** Serve what is stored, however old, while the origin is away. */
  always_online: z.boolean().default(false),
  /**
   * What is stored of an address is asked for again after a request that may have changed it (RFC 9111 §4.4). Off, since whoever
   * may send one could have the origin asked for everything again.
   */
  invalidate_on_change: z.boolean().default(false),
  /**
   * The languages that the site is written in. The origin is sent the one of them that a visitor prefers, so that answers which vary by
   * `Accept-Language` are kept once for each, and not for each browser's list. Empty: what the visitor sent.
   */
  languages: z.array(languageTag).max(20).default([]),
  /** Until then everything bypasses the cache. */
  development_until: time.optional(),
});
export type CacheRuleSection = z.infer<typeof cacheRuleSection>;
