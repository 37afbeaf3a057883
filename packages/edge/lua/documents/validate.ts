import type {
  AddressListDocument,
  BanDocument,
  BanSettingDocument,
  CaptchaAccountDocument,
  IpDataDocument,
  CertificateDocument,
  LevelDocument,
  SiteDocument,
} from '@breakwater/contract/edge-document';
import type { KnownVulnerabilityDocument } from '@breakwater/contract/known-vulnerability';
import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { unknownNeed } from '@breakwater/policy/site/needs';
import { banProblem, banSettingProblem } from './validate-bans.ts';
import { challengeProblem } from './acme-challenges.ts';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, optionalProblem, type Fields } from './field-problem.ts';
import {
  accessProblem,
  ipDataProblem,
  levelAccessProblem,
  listProblem,
  refererProblem,
} from './validate-access.ts';
import { checkAuthorities, checkPair } from '../tls/tls-pair.ts';
import { regexOptions } from '../lib/regex.ts';
import {
  browserVerifyProblem,
  captchaAccountProblem,
  guardProblem,
  knownProblem,
  matcherRuleProblem,
  systemRuleProblem,
} from './validate-protect.ts';
import { rewriteProblem } from './validate-rewrite.ts';

/**
 * Whether a document is one that this edge can serve. The control plane has checked it in full; here stands what would
 * break a request: missing parts, wrong types, what PCRE or OpenSSL will not read. Answers with the first problem.
 */
export function problemOf(kind: string, document: unknown): string | undefined {
  if (kind === 'site') return siteProblem(document as Partial<SiteDocument>) ?? needProblem(document);
  if (kind === 'level') return levelProblem(document as Partial<LevelDocument>) ?? needProblem(document);
  if (kind === 'certificate') return certificateProblem(document as Partial<CertificateDocument>);
  if (kind === 'address_list') return listProblem(document as Partial<AddressListDocument>);
  if (kind === 'ip_data') return ipDataProblem(document as Partial<IpDataDocument>);
  if (kind === 'known_vulnerability') return knownProblem(document as Partial<KnownVulnerabilityDocument>);
  if (kind === 'captcha_account') return captchaAccountProblem(document as Partial<CaptchaAccountDocument>);
  if (kind === 'refresh') return refreshProblem(document);
  if (kind === 'acme_challenge') return challengeProblem(document);
  if (kind === 'ban') return banProblem(document as Partial<BanDocument>);
  if (kind === 'ban_setting') return banSettingProblem(document as Partial<BanSettingDocument>);
  return `documents of kind ${kind} are unknown to this edge`;
}

function refreshProblem(document: unknown): string | undefined {
  return (
    fieldProblem('refresh', document, { refresh_id: 'number', site_id: 'number' }) ??
    optionalProblem('refresh', document, {
      mode: 'string',
      all: 'boolean',
      urls: 'table',
      folders: 'table',
      tags: 'table',
    })
  );
}

function needProblem(document: unknown): string | undefined {
  const need = unknownNeed(document);
  return need === undefined ? undefined : `it needs ${need}, which this edge does not know`;
}

const originFields: Fields = {
  address: 'string',
  http_port: 'number',
  https_port: 'number',
  weight: 'number',
  state: 'string',
  max_fails: 'number',
  fail_timeout_seconds: 'number',
};
const configFields: Fields = {
  origins: 'table',
  protocol: 'string',
  connect_timeout_seconds: 'number',
  send_timeout_seconds: 'number',
  read_timeout_seconds: 'number',
  tries: 'number',
};
/** Absent in documents from before they came, and where they are as by default. */
const optionalConfigFields: Fields = {
  method: 'string',
  follow_port: 'boolean',
  host: 'string',
  sni: 'string',
  verify_tls: 'boolean',
  keepalive_seconds: 'number',
  retry_on: 'table',
  websocket: 'boolean',
  grpc: 'boolean',
};
const storageFields: Fields = {
  region: 'string',
  bucket: 'string',
  path_style: 'boolean',
  access_key_id: 'string',
  secret_access_key: 'string',
};
const ruleFields: Fields = {
  type: 'string',
  content: 'table',
  action: 'string',
  ttl_seconds: 'number',
  query_policy: 'string',
  query_names: 'table',
  enabled: 'boolean',
};
const advancedFields: Fields = {
  error_pages: 'table',
  maintenance: 'table',
  response_buffering: 'boolean',
  access_log: 'table',
  snippet: 'string',
};
const securityFields: Fields = {
  connections: 'number',
  connections_per_address: 'number',
  rate: 'table',
  rate_per_address: 'table',
  rate_counts_hits: 'boolean',
  bandwidth: 'number',
  bandwidth_per_address: 'number',
  bandwidth_per_connection: 'number',
  body_bytes_max: 'number',
  body_rate_min: 'number',
  header_lines_max: 'number',
  header_line_bytes_max: 'number',
  header_bytes_max: 'number',
  url_bytes_max: 'number',
};
const realIpFields: Fields = {
  mode: 'string',
  headers: 'table',
  depth: 'number',
  preset: 'string',
  trusted: 'table',
  address_lists: 'table',
  pass_headers: 'table',
};
const speedFields: Fields = {
  gzip: 'boolean',
  brotli: 'boolean',
  level: 'string',
  types: 'table',
  min_length_bytes: 'number',
  preload: 'table',
};
const cacheFields: Fields = {
  cache_header: 'boolean',
  cache_status_header: 'boolean',
  always_online: 'boolean',
  invalidate_on_change: 'boolean',
  languages: 'table',
  development_until: 'number',
};
const maintenanceFields: Fields = {
  enabled: 'boolean',
  retry_after_seconds: 'number',
  body: 'string',
  allowed_ips: 'table',
};
const logFields: Fields = {
  enabled: 'boolean',
  referer: 'boolean',
  user_agent: 'boolean',
  query: 'boolean',
  sample_rate: 'number',
};
/** Absent in documents of earlier control planes. */
const optionalLogFields: Fields = { ja4: 'boolean' };
const pageFields: Fields = {
  statuses: 'table',
  source: 'string',
  body: 'string',
  content_type: 'string',
  redirect_url: 'string',
  new_status: 'number',
  only_paths: 'table',
  except_paths: 'table',
  enabled: 'boolean',
};
const rateFields: Fields = { period_seconds: 'number', burst: 'number' };
const siteFields: Fields = {
  site_id: 'number',
  client_id: 'number',
  order_id: 'number',
  status: 'string',
  domains: 'table',
  origin_server_config: 'table',
  certificate_settings: 'table',
};

function siteProblem(site: Partial<SiteDocument>): string | undefined {
  const problem =
    fieldProblem('site', site, siteFields) ??
    fieldProblem('origin_server_config', site.origin_server_config, configFields) ??
    optionalProblem('origin_server_config', site.origin_server_config, optionalConfigFields) ??
    (site.origin_server_config!.object_storage &&
      fieldProblem(
        'origin_server_config.object_storage',
        site.origin_server_config!.object_storage,
        storageFields,
      )) ??
    (site.product_id === undefined ? undefined : fieldProblem('site', site, { product_id: 'number' })) ??
    fieldProblem('certificate_settings', site.certificate_settings, { certificate_ids: 'table' }) ??
    (site.listen_port === undefined
      ? undefined
      : fieldProblem('listen_port', site.listen_port, { http_ports: 'table', https_ports: 'table' })) ??
    optionalProblem('site', site, { offline_pages: 'table', unfiled_domains: 'table' }) ??
    sectionsProblem(site) ??
    accessProblem(site) ??
    matcherRuleProblem(site.matcher_rule);
  if (problem !== undefined) return problem;
  const check = site.backend_health_check;
  if (check !== undefined) {
    const bad = fieldProblem('backend_health_check', check, { enabled: 'boolean' });
    if (bad !== undefined) return bad;
  }
  for (const domain of site.domains!)
    if (type(domain) !== 'string') return 'site.domains holds what is no text';
  const origins = site.origin_server_config!.origins;
  if (origins.length === 0) return 'origin_server_config.origins is empty';
  for (let index = 0; index < origins.length; index++) {
    const place = `origin_server_config.origins.${index}`;
    const bad =
      fieldProblem(place, origins[index], originFields) ??
      optionalProblem(place, origins[index], { max_conns: 'number' });
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function levelProblem(level: Partial<LevelDocument>): string | undefined {
  const isOne = level.target_id !== undefined;
  return (
    fieldProblem('level', level, isOne ? { level: 'string', target_id: 'number' } : { level: 'string' }) ??
    sectionsProblem(level) ??
    levelAccessProblem(level.access_control) ??
    matcherRuleProblem(level.matcher_rule)
  );
}

/** What sites inherit and levels set: any of it may be absent. */
function sectionsProblem(sections: Partial<SiteDocument> | Partial<LevelDocument>): string | undefined {
  return (
    optionalProblem('the document', sections, {
      cache_rule: 'table',
      certificate_settings: 'table',
      unset: 'table',
      needs: 'table',
    }) ??
    optionalProblem('cache_settings', sections.cache_settings, cacheFields) ??
    optionalProblem('speed_optimize', sections.speed_optimize, speedFields) ??
    optionalProblem('real_ip', sections.real_ip, realIpFields) ??
    securityProblem(sections.security) ??
    guardProblem(sections.cc_guardian_rule) ??
    browserVerifyProblem(sections.browser_verify_rule) ??
    advancedProblem(sections.advanced_config) ??
    refererProblem(sections.block_referer) ??
    rewriteProblem(sections.content_rewrite) ??
    systemRuleProblem(sections.used_system_rule) ??
    clientCertificateProblem(sections.certificate_settings) ??
    rulesProblem(sections.cache_rule ?? [])
  );
}

function securityProblem(security: SiteDocument['security']): string | undefined {
  const { rate, rate_per_address: ratePerAddress } = security ?? {};
  return (
    optionalProblem('security', security, securityFields) ??
    conditionProblem('security.connections_condition', security?.connections_condition, regexOptions) ??
    conditionProblem('security.bandwidth_condition', security?.bandwidth_condition, regexOptions) ??
    conditionProblem('security.body_condition', security?.body_condition, regexOptions) ??
    (rate && fieldProblem('security.rate', rate, rateFields)) ??
    (rate && conditionProblem('security.rate.condition', rate.condition, regexOptions)) ??
    (ratePerAddress && fieldProblem('security.rate_per_address', ratePerAddress, rateFields)) ??
    (ratePerAddress &&
      conditionProblem('security.rate_per_address.condition', ratePerAddress.condition, regexOptions))
  );
}

function advancedProblem(config: SiteDocument['advanced_config']): string | undefined {
  if (config === undefined) return undefined;
  const { maintenance, access_log: log, error_pages: pages = [] } = config;
  const problem =
    optionalProblem('advanced_config', config, advancedFields) ??
    (maintenance && fieldProblem('advanced_config.maintenance', maintenance, maintenanceFields)) ??
    (log && fieldProblem('advanced_config.access_log', log, logFields)) ??
    optionalProblem('advanced_config.access_log', log, optionalLogFields);
  if (problem !== undefined) return problem;
  for (let index = 0; index < pages.length; index++) {
    const place = `advanced_config.error_pages.${index}`;
    const bad =
      fieldProblem(place, pages[index], pageFields) ??
      conditionProblem(`${place}.condition`, pages[index]!.condition, regexOptions);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** Fields that came later may be absent. */
function clientCertificateProblem(settings: LevelDocument['certificate_settings']): string | undefined {
  const forced = settings?.force_https?.condition;
  const unasked = conditionProblem('certificate_settings.force_https.condition', forced, regexOptions);
  if (unasked !== undefined) return unasked;
  const client = settings?.client_certificate;
  if (client === undefined || client.mode === 'off') return undefined;
  const place = 'certificate_settings.client_certificate';
  const bad = fieldProblem(place, client, { mode: 'string', ca: 'string', depth: 'number' });
  if (bad !== undefined) return bad;
  const unreadable = checkAuthorities(client.ca);
  return unreadable === undefined ? undefined : `${place}.ca: ${unreadable}`;
}

function rulesProblem(rules: EdgeCacheRule[]): string | undefined {
  for (let index = 0; index < rules.length; index++) {
    const bad = ruleProblem(`cache_rule.${index}`, rules[index]!);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function ruleProblem(place: string, rule: EdgeCacheRule): string | undefined {
  const problem =
    fieldProblem(place, rule, ruleFields) ??
    conditionProblem(`${place}.condition`, rule.condition, regexOptions);
  if (problem !== undefined) return problem;
  for (let index = 0; index < rule.content.length; index++) {
    if (type(rule.content[index]) !== 'string') return `${place}.content.${index} is no text`;
    if (rule.type !== 'regex') continue;
    const [, , bad] = ngx.re.find('', rule.content[index]!, regexOptions);
    if (bad !== undefined)
      return `${place}.content.${index}: the regular expression does not compile: ${bad}`;
  }
  return undefined;
}

function certificateProblem(certificate: Partial<CertificateDocument>): string | undefined {
  const problem = fieldProblem('certificate', certificate, {
    certificate_id: 'number',
    domains: 'table',
    certificate: 'string',
    private_key: 'string',
  });
  return problem ?? checkPair(certificate.certificate!, certificate.private_key!);
}
