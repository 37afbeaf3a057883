import {
  isHostName,
  toAsciiDomain,
  type DraftNote,
  type DraftReason,
  type origin,
  type RedirectRule,
  type SiteDraft,
  type UrlRewriteRule,
} from '@breakwater/contract';
import type * as z from 'zod';

/** A draft while it is put together. */
export interface Draft {
  line?: number;
  domains: string[];
  origins: z.input<typeof origin>[];
  config: Record<string, unknown>;
  redirects: (Partial<RedirectRule> & Pick<RedirectRule, 'type' | 'from' | 'to'>)[];
  urlRewrites: (Partial<UrlRewriteRule> & Pick<UrlRewriteRule, 'type' | 'from' | 'to'>)[];
  requestHeaders: Record<string, unknown>[];
  responseHeaders: Record<string, unknown>[];
  cacheRules: Record<string, unknown>[];
  access: Record<string, unknown>[];
  accessOtherwise?: 'deny';
  security: Record<string, unknown>;
  advanced: Record<string, unknown>;
  speed: Record<string, unknown>;
  notes: DraftNote[];
}

export function newDraft(line?: number): Draft {
  return {
    ...(line === undefined ? {} : { line }),
    domains: [],
    origins: [],
    config: {},
    redirects: [],
    urlRewrites: [],
    requestHeaders: [],
    responseHeaders: [],
    cacheRules: [],
    access: [],
    security: {},
    advanced: {},
    speed: {},
    notes: [],
  };
}

export function note(draft: { notes: DraftNote[] }, what: string, reason: DraftReason, line?: number): void {
  draft.notes.push({ what: what.slice(0, 200), reason, ...(line === undefined ? {} : { line }) });
}

/** A site's domain as it is kept, or nothing for what is none. */
export function domainOf(text: string): string | undefined {
  const domain = toAsciiDomain(text.trim().replace(/\.$/, ''));
  return isHostName(domain.startsWith('*.') ? domain.slice(2) : domain, 2) ? domain : undefined;
}

/**
 * A site that only redirects has nothing to ask; where it leads, somebody answers. Where that is one of the others, it asks
 * what that one asks: a site cannot ask another of this platform.
 */
export function giveOrigins(drafts: Draft[]): void {
  for (const draft of drafts)
    for (const { to } of draft.redirects) {
      const [, protocol, host] = /^(https?):\/\/([^/:?#$]+)/.exec(to) ?? [];
      if (draft.origins.length > 0 || protocol === undefined || host === undefined || !isHostName(host))
        continue;
      const other = drafts.find(({ domains, origins }) => domains.includes(host) && origins.length > 0);
      draft.origins = other?.origins ?? [{ address: host }];
      draft.config['protocol'] = other?.config['protocol'] ?? protocol;
    }
}

/** As it is sent: only the sections that say something. */
export function finish(draft: Draft): SiteDraft {
  const filled = (value: Record<string, unknown>) =>
    Object.keys(value).length > 0 &&
    Object.values(value).some((part) => !Array.isArray(part) || part.length > 0);
  const sections = {
    origin_server_config: { ...draft.config, origins: draft.origins },
    // A list that is named is the site's own: without rules it would end those that are inherited.
    content_rewrite: {
      ...(draft.redirects.length > 0 ? { redirects: draft.redirects } : {}),
      ...(draft.urlRewrites.length > 0 ? { url_rewrites: draft.urlRewrites } : {}),
      ...(draft.requestHeaders.length > 0 ? { request_headers: draft.requestHeaders } : {}),
      ...(draft.responseHeaders.length > 0 ? { response_headers: draft.responseHeaders } : {}),
    },
    cache_rule: { rules: draft.cacheRules },
    access_control: {
      rules: draft.access,
      ...(draft.accessOtherwise === undefined ? {} : { otherwise: draft.accessOtherwise }),
    },
    security: draft.security,
    advanced_config: draft.advanced,
    speed_optimize: draft.speed,
  };
  const said = Object.entries(sections).filter(
    ([name, value]) => name === 'origin_server_config' || filled(value),
  );
  if (draft.origins.length === 0) note(draft, draft.domains[0] ?? '', 'no_origin', draft.line);
  return {
    ...(draft.line === undefined ? {} : { line: draft.line }),
    domains: [...new Set(draft.domains)],
    sections: Object.fromEntries(said),
    notes: draft.notes,
  };
}
