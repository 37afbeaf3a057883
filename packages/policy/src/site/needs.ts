import type {
  ConditionDecoder,
  ConditionFieldName,
  ConditionOperator,
} from '@breakwater/contract/condition-fields';
import type { GuardAction } from '@breakwater/contract/site-config/cc-guardian-rule';
import type { MatcherAction } from '@breakwater/contract/site-config/matcher-rule';
import type { ProtectionSection } from '@breakwater/contract/site-config/protection-sections';

/**
 * What a document asks of a node beyond reading it. A node that takes a test it does not know for one that never holds would
 * let in whom a rule keeps out, so documents state what they need (`condition.country`, `operator.regex`), and a node refuses
 * by name what it has not.
 */

/** What this node can ask of a request; a field or an operator that is added to the contract does not compile without. */
const fields: Record<ConditionFieldName, true> = {
  method: true,
  scheme: true,
  host: true,
  path: true,
  extension: true,
  uri: true,
  query: true,
  argument: true,
  argument_names: true,
  header: true,
  header_names: true,
  cookie: true,
  cookie_names: true,
  user_agent: true,
  referer: true,
  referer_host: true,
  content_type: true,
  content_length: true,
  form: true,
  form_names: true,
  json: true,
  file_name: true,
  file_extension: true,
  http_version: true,
  ip: true,
  socket_ip: true,
  address_list: true,
  country: true,
  province: true,
  carrier: true,
  asn: true,
  verified_robot: true,
  false_robot: true,
  tags: true,
  client_port: true,
  server_port: true,
  tls_version: true,
  ja4: true,
  sni: true,
  hour: true,
  weekday: true,
  time_of_day: true,
  date: true,
  response_status: true,
  response_header: true,
  response_content_type: true,
  response_size: true,
  response_cache: true,
  response_origin_ms: true,
};
const operators: Record<ConditionOperator, true> = {
  equals: true,
  contains: true,
  contains_all: true,
  contains_word: true,
  contains_all_words: true,
  starts_with: true,
  ends_with: true,
  wildcard: true,
  regex: true,
  exists: true,
  is_empty: true,
  longer_than: true,
  shorter_than: true,
  greater_than: true,
  at_least: true,
  less_than: true,
  at_most: true,
  in_range: true,
  in: true,
  has: true,
  has_all: true,
};

const decoders: Record<ConditionDecoder, true> = {
  url: true,
  base64: true,
  hex: true,
  html: true,
  unicode: true,
  lower: true,
  length: true,
};

/** Sections without which a site is not what it is to be: who would be stopped gets through. */
const sections: Record<ProtectionSection | 'offline_pages' | 'unfiled_domains', true> = {
  matcher_rule: true,
  cc_guardian_rule: true,
  browser_verify_rule: true,
  used_system_rule: true,
  offline_pages: true,
  unfiled_domains: true,
};
/** What rules of protection do. */
const actions: Record<MatcherAction | GuardAction, true> = {
  allow: true,
  block: true,
  ban: true,
  challenge: true,
  redirect: true,
  limit: true,
  delay: true,
  tag: true,
  list: true,
  notify: true,
  observe: true,
};

/** Challenges that came later than challenges: a node would show another, or none. */
const challenges: Record<string, true> = { external: true };

/** What else rules of protection can say. */
const matcherParts: Record<string, true> = { nodes: true, kernel: true };
const guardParts: Record<string, true> = { ja4: true };
const verifyParts: Record<string, true> = { tls: true };
/** A node that judges no large content would let it pass, or refuse it; one that judges no answers would let leaks pass. */
const detectParts: Record<string, true> = { judge: true, leak: true };

type Json = Record<string, unknown>;

/** What stands in the conditions of a document, or of anything that holds sections; each once, in order. */
export function needsOf(value: unknown): string[] {
  const found: Record<string, boolean> = {};
  noteNeeds(value, found);
  noteProtection(value as Json, found);
  const needs: string[] = [];
  for (const need in found) needs.push(need);
  needs.sort((a, b) => (a < b ? -1 : 1));
  return needs;
}

function noteNeeds(value: unknown, found: Record<string, boolean>): void {
  if (typeof value !== 'object' || value === undefined || value === null) return;
  const { field, operator, values, decode } = value as Json;
  if (typeof field === 'string' && typeof operator === 'string' && typeof values === 'object') {
    found[`condition.${field}`] = true;
    found[`operator.${operator}`] = true;
    for (const step of (decode as string[] | undefined) ?? []) found[`decode.${step}`] = true;
    return;
  }
  for (const name in value as Json) noteNeeds((value as Json)[name], found);
}

/** What of them says more than that they are there. */
interface Said {
  kind?: string;
  bind_tls?: boolean;
  large_bodies?: string;
  leak?: string;
  rules?: {
    action?: string;
    nodes?: number;
    key?: { part: string }[];
    challenge?: string | { kind?: string };
    ban?: { place?: string };
  }[];
}

/** CC guard names the kind, matcher rules have more to say. */
const kindOf = (challenge: string | { kind?: string } | undefined): string | undefined =>
  typeof challenge === 'object' ? challenge.kind : challenge;

/** The sections of protection, and what their rules do: a node before them would let in whom they stop. */
function noteProtection(document: Json, found: Record<string, boolean>): void {
  for (const section in sections) {
    const said = document[section] as Said | undefined;
    if (said === undefined) continue;
    found[`section.${section}`] = true;
    // A pass of a node that binds it would be none at one that does not, and the other way round.
    if (said.bind_tls === true) found['verify.tls'] = true;
    if (said.large_bodies === 'judge') found['detect.judge'] = true;
    if ((said.leak ?? 'off') !== 'off') found['detect.leak'] = true;
    if (said.kind === 'external') found['challenge.external'] = true;
    for (const { action, nodes, key, challenge, ban } of said.rules ?? []) {
      if (action !== undefined) found[`action.${action}`] = true;
      // A node that does not look at the share of nodes would take the rule for one for all of them.
      if (nodes !== undefined && nodes < 100) found['matcher.nodes'] = true;
      // One that does not know of the kernel would go on answering whom it is to drop.
      if (action === 'ban' && ban?.place === 'kernel') found['matcher.kernel'] = true;
      if (hasJa4(key)) found['guard.ja4'] = true;
      if (kindOf(challenge) === 'external') found['challenge.external'] = true;
    }
  }
}

const hasJa4 = (key: { part: string }[] | undefined): boolean => {
  for (const { part } of key ?? []) if (part === 'ja4') return true;
  return false;
};

/** Whether anything in a document looks at the fingerprints of TLS clients. */
export function usesJa4(document: unknown): boolean {
  const { advanced_config: advanced } = document as { advanced_config?: { access_log?: { ja4?: boolean } } };
  if (advanced?.access_log?.ja4 === true) return true;
  for (const need of needsOf(document))
    if (need === 'condition.ja4' || need === 'guard.ja4' || need === 'verify.tls') return true;
  return false;
}

/** The first that this node has not. What is stated and what stands in the document count alike: an older control plane states nothing. */
export function unknownNeed(document: unknown): string | undefined {
  const { needs } = document as { needs?: unknown[] };
  for (const need of needs ?? [])
    if (typeof need !== 'string') return 'what is no name';
    else if (!isKnown(need)) return need;
  for (const need of needsOf(document)) if (!isKnown(need)) return need;
  return undefined;
}

const known: Record<string, Record<string, boolean | undefined>> = {
  condition: fields,
  operator: operators,
  decode: decoders,
  section: sections,
  action: actions,
  matcher: matcherParts,
  guard: guardParts,
  verify: verifyParts,
  detect: detectParts,
  challenge: challenges,
};

function isKnown(need: string): boolean {
  const dot = need.indexOf('.');
  const kind = need.substring(0, dot);
  const name = need.substring(dot + 1);
  return known[kind]?.[name] === true;
}
