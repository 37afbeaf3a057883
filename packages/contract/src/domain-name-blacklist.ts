import * as z from 'zod';
import {
  chosenIds,
  count,
  dateTime,
  id,
  idParams,
  inputText,
  isHostName,
  listOf,
  listQuery,
  nothing,
  optionalIdText,
  optionalText,
  toAsciiDomain,
  version,
} from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';

/**
 * Domains that no site may add, whoever adds them. `exact`: this name. `subdomains`: with all names below it. `pattern`: names in
 * which each `*` stands for any characters. A wildcard domain of a site is on it as well where it would serve such a name.
 */
export const blacklistKinds = ['exact', 'subdomains', 'pattern'] as const;
export type BlacklistKind = (typeof blacklistKinds)[number];

const starsMax = 4;
/** Two letters or digits at least: `*` alone, or `*.*`, would be every domain. */
const isPattern = (text: string): boolean =>
  /^[a-z0-9_.*-]+$/.test(text) &&
  text.includes('*') &&
  text.split('*').length - 1 <= starsMax &&
  text.replaceAll(/[^a-z0-9]/g, '').length >= 2;

export const domainNameBlacklistInput = z
  .strictObject({
    name: inputText()
      .trim()
      .min(1)
      .max(253)
      .transform((text) => (text.includes('*') ? text.toLowerCase() : toAsciiDomain(text))),
    kind: z.enum(blacklistKinds),
    /** For operators; customers are told only that the domain is on the list. */
    reason: inputText().trim().max(500).default(''),
    enabled: z.boolean().default(true),
  })
  .refine(({ name, kind }) => name === '' || kind === 'pattern' || isHostName(name, 2), {
    error: 'domain_invalid',
    path: ['name'],
  })
  .refine(({ name, kind }) => name === '' || kind !== 'pattern' || isPattern(name), {
    error: 'blacklist_pattern',
    path: ['name'],
  });

export const domainNameBlacklist = entity({
  name: z.string(),
  kind: z.enum(blacklistKinds),
  reason: z.string(),
  enabled: z.boolean(),
  created_by: z.string(),
  /** Domains of sites that were there before, and that nobody has decided about. */
  open_count: count,
});
export type DomainNameBlacklist = z.infer<typeof domainNameBlacklist>;

/** A domain that a site had before it came onto the list. `open`: nobody has decided yet. */
export const blacklistHitStates = ['open', 'ignored', 'suspended'] as const;
export type BlacklistHitState = (typeof blacklistHitStates)[number];
export const blacklistHit = z.strictObject({
  id,
  domain: z.string(),
  site_id: id,
  /** The first domain of the site. */
  site_name: z.string(),
  client_id: id,
  client_name: z.string(),
  state: z.enum(blacklistHitStates),
  /** The entry; empty for customers, who are not told of the list itself. */
  entry: z.string(),
  /** Empty while it is open, and for customers. */
  decided_by: z.string(),
  decided_at: dateTime.nullable(),
  /** What the operator wrote, for the customer. */
  note: z.string(),
  /** Grows with each decision. */
  version,
  created_at: dateTime,
});
export type BlacklistHit = z.infer<typeof blacklistHit>;

export const domainNameBlacklistRoutes = defineRoutes({
  ...crudRoutes('DomainNameBlacklistEntry', 'DomainNameBlacklist', {
    path: 'domain_name_blacklist',
    owner: 'platform',
    permission: 'domain_name_blacklist',
    input: domainNameBlacklistInput,
    item: domainNameBlacklist,
    filters: {
      name: optionalText,
      kind: z.enum(blacklistKinds).optional(),
    },
    summaries: {
      list: 'List the domains that no site may add, newest first.',
      create:
        'Put a domain or a pattern on the blacklist. Sites that have such domains are then searched by a task.',
      update: 'Change an entry of the blacklist. Sites are then searched anew.',
      remove: 'Delete an entry of the blacklist, with what was found by it.',
    },
  }),
  listBlacklistHits: {
    method: 'GET',
    path: '/prod-api/domain_name_blacklist/hit',
    summary: 'List domains of sites that are on the blacklist, newest first.',
    access: { kind: 'both', permission: 'site_violation.read' },
    query: listQuery({
      ids: chosenIds,
      site_id: optionalIdText,
      blacklist_id: optionalIdText,
      domain: optionalText,
      state: z.enum(blacklistHitStates).optional(),
    }),
    response: listOf(blacklistHit),
  },
  decideBlacklistHit: {
    method: 'POST',
    path: '/prod-api/domain_name_blacklist/hit/{id}/decide',
    summary:
      'Decide about a domain on the blacklist that a site has: suspend the site, ignore it, or leave it open again. Send the version the decision is based on.',
    access: { kind: 'admin', permission: 'site_violation.decide' },
    params: idParams,
    body: z.strictObject({
      version,
      state: z.enum(blacklistHitStates),
      /** The customer reads it. */
      note: inputText().trim().max(500).default(''),
    }),
    response: nothing,
  },
});
