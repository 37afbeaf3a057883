import type { RequestStep, TraceStep } from '@breakwater/contract';
import { to, type Target } from '../../../kit/links.ts';

interface Place {
  /** A tab of the site's page. */
  tab: string;
  /** The field there that decides; with a rule, the row of the rule in this list. */
  field?: string;
  rules?: string;
}

/** Where each step is set. What is decided by nothing of the site's has no place. */
const places: Record<RequestStep, Place | undefined> = {
  site: { tab: 'overview' },
  listen_port: { tab: 'ports' },
  client_address: { tab: 'real-ip', field: 'mode' },
  status: { tab: 'overview' },
  bans: undefined,
  client_certificate: { tab: 'certificate' },
  access_control: { tab: 'access', field: 'otherwise', rules: 'rules' },
  block_referer: { tab: 'referer' },
  signed_links: { tab: 'access', field: 'signing.enabled' },
  force_https: { tab: 'certificate' },
  cors: { tab: 'access', field: 'cors.enabled' },
  basic_auth: { tab: 'access', field: 'basic_auth.enabled' },
  request_path: undefined,
  matchers: { tab: 'matchers', rules: 'rules' },
  cc_guard: { tab: 'guard', field: 'mode' },
  browser_verification: { tab: 'verify', field: 'kind' },
  system_rules: { tab: 'system-rules', field: 'mode' },
  redirects: { tab: 'rewrite', rules: 'redirects' },
  url_rewrites: { tab: 'rewrite', rules: 'url_rewrites' },
  cache_rule: { tab: 'cache', rules: 'rules' },
  cache_key: { tab: 'cache' },
  limits: { tab: 'limits', field: 'rate_per_address' },
  cache: { tab: 'cache' },
  request_headers: { tab: 'rewrite', rules: 'request_headers' },
  origin: { tab: 'origin', field: 'method' },
  error_pages: { tab: 'advanced', rules: 'error_pages' },
  response_body: { tab: 'rewrite' },
  response_headers: { tab: 'rewrite', rules: 'response_headers' },
};

const levelTargets = { client: to.clientDefaults, product: to.productDefaults };

/** Where what decides a step is set: at the site, or at the level that it is inherited from. */
export function targetOf(
  { step, level, facts }: TraceStep,
  site: { id: number; client_id: number; product_id: number },
): Target | undefined {
  const place = places[step];
  if (place === undefined) return undefined;
  // Traces count rules from 1, and fields of a form from 0.
  const rule = Number(facts.find(({ name }) => name === 'rule')?.value ?? 0);
  const field = place.rules !== undefined && rule > 0 ? `${place.rules}.${rule - 1}` : place.field;
  const search = { tab: place.tab, focus: field };
  if (level === 'global') return to.siteDefaults(search);
  if (level === 'client' || level === 'product')
    return levelTargets[level]({ id: level === 'client' ? site.client_id : site.product_id }, search);
  return to.siteDetail({ id: site.id }, search);
}
