import * as z from 'zod';
import { hostAddress, port, id } from './common.ts';

/** The sections of a site's configuration, one schema each. Defaults are what a site with one origin gets. */

export const originState = z.enum(['primary', 'backup', 'down']);

/** One origin server. `weight` counts against the other origins of its state; `down` keeps it listed but unused. */
export const origin = z.strictObject({
  address: hostAddress,
  http_port: port.default(80),
  https_port: port.default(443),
  weight: z.int().min(1).max(100).default(10),
  state: originState.default('primary'),
  /** Failures within `fail_timeout_seconds` that take the origin out for as long (nginx `max_fails`); 0 never. */
  max_fails: z.int().min(0).max(100).default(3),
  fail_timeout_seconds: z.int().min(1).max(3600).default(10),
});
export type Origin = z.infer<typeof origin>;

export const originServerConfig = z.strictObject({
  origins: z.array(origin).min(1).max(64),
  /** `follow` speaks to the origin as the visitor spoke to the edge. */
  protocol: z.enum(['http', 'https', 'follow']).default('http'),
  /** Host header and SNI sent to the origin; absent: the visitor's host. */
  host: hostAddress.optional(),
  connect_timeout_seconds: z.int().min(1).max(120).default(10),
  send_timeout_seconds: z.int().min(1).max(3600).default(60),
  read_timeout_seconds: z.int().min(1).max(3600).default(60),
  /** Origins tried for one request, the first included. */
  tries: z.int().min(1).max(10).default(3),
});
export type OriginServerConfig = z.infer<typeof originServerConfig>;

export const cacheRuleType = z.enum(['suffix', 'folder', 'full_path', 'regex', 'all']);
export const queryPolicy = z.enum(['all', 'none', 'include', 'exclude']);

/** One cache rule; the first that matches a request decides. What `content` holds follows from `type`. */
export const cacheRule = z
  .strictObject({
    type: cacheRuleType,
    /** suffix: `jpg`; folder: `/static/`; full_path: `/index.html`; regex: a pattern on the path; all: empty. */
    content: z.array(z.string().min(1).max(500)).max(100).default([]),
    action: z.enum(['cache', 'bypass', 'follow_origin']).default('cache'),
    ttl_seconds: z.int().min(0).max(31_536_000).default(0),
    query_policy: queryPolicy.default('all'),
    /** Argument names for `include` and `exclude`. */
    query_names: z.array(z.string().min(1).max(100)).max(50).default([]),
    enabled: z.boolean().default(true),
  })
  .check((context) => {
    const rule = context.value;
    if (rule.type === 'all' ? rule.content.length > 0 : rule.content.length === 0)
      context.issues.push({
        code: 'custom',
        path: ['content'],
        message: 'cache_rule_content',
        input: rule.content,
      });
    rule.content.forEach((item, index) => {
      if ((rule.type === 'folder' || rule.type === 'full_path') && !item.startsWith('/'))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'path_absolute',
          input: item,
        });
      if (rule.type === 'suffix' && !/^[A-Za-z0-9_-]{1,20}$/.test(item))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'suffix_plain',
          input: item,
        });
      if (rule.type === 'regex' && !compiles(item))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'regex_invalid',
          input: item,
        });
    });
    const needsNames = rule.query_policy === 'include' || rule.query_policy === 'exclude';
    if (needsNames && rule.query_names.length === 0)
      context.issues.push({
        code: 'custom',
        path: ['query_names'],
        message: 'required',
        input: rule.query_names,
      });
  });
export type CacheRule = z.infer<typeof cacheRule>;

export const cacheRuleSection = z.strictObject({ rules: z.array(cacheRule).max(100) });

export const certificateSettings = z.strictObject({
  /** Chosen by SNI among these; none: the node's default certificate. */
  certificate_ids: z.array(id).max(50).default([]),
});
export type CertificateSettings = z.infer<typeof certificateSettings>;

/** Every section by the name it has in paths and revisions. */
export const siteSections = {
  origin_server_config: originServerConfig,
  cache_rule: cacheRuleSection,
  certificate_settings: certificateSettings,
} as const;
export type SiteSection = keyof typeof siteSections;
export const siteSectionNames = Object.keys(siteSections) as SiteSection[];

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
