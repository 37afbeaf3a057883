/**
 * What happens to things, as it is told (`apps/server/src/events/`): what it happened to and what was done, each out of
 * a catalogue. Their words stand in `event.text.ts`.
 */

/** What events are about. */
export const eventSubjects = [
  'site',
  'node',
  'line_group',
  'area',
  'product',
  'tag',
  'client',
  'member',
  'order',
  'certificate',
  'certificate_order',
  'acme_account',
  'address_list',
  'ip_data',
  'site_level',
  'site_batch',
  'setting',
  'admin_user',
  'admin_group',
  'waf_matcher',
  'false_alarm',
  'domain_name_blacklist',
  'filing',
] as const;
export type EventSubject = (typeof eventSubjects)[number];

/** What happened. The same word for the same thing, whatever it happened to. */
export const eventKinds = [
  'created',
  'updated',
  'removed',
  'removal_started',
  'imported',
  'section_changed',
  'domains_changed',
  'rolled_back',
  'status_changed',
  'line_group_changed',
  'synced',
  'domain_granted',
  'addresses_changed',
  'members_changed',
  'credentials_replaced',
  'delivery_refused',
  'refreshed',
  'replaced',
  'served_differently',
  'expires_soon',
  'expired',
  'cache_refreshed',
  'cache_prefetched',
  'started',
  'password_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'recovery_codes_replaced',
  'passkey_added',
  'passkey_removed',
  'token_created',
  'token_removed',
  'sessions_ended',
  'issued',
  'issuance_failed',
  'revoked',
  'attack_started',
  'attack_continued',
  'attack_ended',
  'flood_started',
  'flood_ended',
  'rule_matched',
  'guard_escalated',
  'guard_calmed',
  'blacklist_decided',
  'violation_found',
  'violation_decided',
  'violation_appealed',
  'filing_decided',
  'filing_lacking',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Who did it: a person (a member is one of a customer's account), a node, or the platform by itself. */
export const eventActors = ['admin', 'client', 'member', 'node', 'system'] as const;
export type EventActor = (typeof eventActors)[number];
