import type { Language, SiteSnapshot } from '@breakwater/contract';
import { automaticText } from '../sections/https/automatic.text.ts';
import { siteConfigText } from '../sections/https/config.text.ts';
import { siteHealthText } from '../sections/origin/health.text.ts';
import { siteHttpsText } from '../sections/https/https.text.ts';
import { siteLimitsText } from '../sections/limits/limits.text.ts';
import { siteObjectStorageText } from '../sections/origin/object-storage.text.ts';
import { siteOriginText } from '../sections/origin/origin.text.ts';
import { sitePortsText } from '../sections/ports/ports.text.ts';
import { siteRealIpText } from '../sections/real-ip/real-ip.text.ts';
import { siteRefererText } from '../sections/referer/referer.text.ts';
import { siteText } from '../site.text.ts';
import { accessFields } from './fields-access.ts';
import { guardFields } from './fields-guard.ts';
import { matcherFields, systemRuleFields, verifyFields } from './fields-protect.ts';
import { advancedFields, cacheFields, rewriteFields, speedFields } from './fields-content.ts';
import { group, wordMakers, type GroupWords, type Names, type Words, type WordsOf } from './field.ts';
import { itemNames } from './names.ts';

/** Words for every field of a configuration, each with the label that its form has. */
export type ConfigWords = Record<keyof SiteSnapshot, Words>;
/** Made once for each language: every sentence of a history looks into it. */
const known = new Map<Language, GroupWords>();

export function configWords(language: Language): GroupWords {
  const words = known.get(language) ?? group('', fieldsOf(language));
  known.set(language, words);
  return words;
}

/** All but `own`: which fields are set here shows in their values, which are told as inherited where they are not. */
function fieldsOf(language: Language): Omit<ConfigWords, 'own'> {
  const { t, text, choice, values } = wordMakers(language);
  const site = siteText[language];
  const { sections } = site.revisions;
  return {
    domains: values(t.domains),
    status: choice(t.status, site.statuses),
    status_reason: choice(t.statusReason, t.statusReasons),
    status_note: text(t.statusNote),
    origin_server_config: group(sections.origin_server_config, originFields(language)),
    backend_health_check: group(sections.backend_health_check, healthFields(language)),
    cache_rule: group(sections.cache_rule, cacheFields(language)),
    speed_optimize: group(sections.speed_optimize, speedFields(language)),
    certificate_settings: group(sections.certificate_settings, certificateFields(language)),
    advanced_config: group(sections.advanced_config, advancedFields(language)),
    listen_port: group(sections.listen_port, portFields(language)),
    security: group(sections.security, limitFields(language)),
    real_ip: group(sections.real_ip, realIpFields(language)),
    access_control: group(sections.access_control, accessFields(language)),
    block_referer: group(sections.block_referer, refererFields(language)),
    content_rewrite: group(sections.content_rewrite, rewriteFields(language)),
    matcher_rule: group(sections.matcher_rule, matcherFields(language)),
    cc_guardian_rule: group(sections.cc_guardian_rule, guardFields(language)),
    browser_verify_rule: group(sections.browser_verify_rule, verifyFields(language)),
    used_system_rule: group(sections.used_system_rule, systemRuleFields(language)),
  };
}

function originFields(language: Language): WordsOf<SiteSnapshot['origin_server_config']> {
  const { t, text, flag, choice, seconds, values } = wordMakers(language);
  const l = siteOriginText[language];
  return {
    origins: {
      kind: 'list',
      item: t.items.origin,
      ...itemNames(language).origin,
      fields: {
        address: text(l.address),
        http_port: text(l.httpPort),
        https_port: text(l.httpsPort),
        weight: text(l.weight),
        state: choice(l.state, l.states),
        max_fails: text(l.maxFails),
        fail_timeout_seconds: seconds(l.failTimeout),
        max_conns: text(l.maxConns),
      } satisfies WordsOf<SiteSnapshot['origin_server_config']['origins'][number]>,
    },
    method: choice(l.method, l.methods),
    protocol: choice(l.protocol, l.protocols),
    follow_port: flag(l.followPort),
    host: text(l.host),
    sni: text(l.sni),
    verify_tls: flag(l.verify),
    connect_timeout_seconds: seconds(l.connect),
    send_timeout_seconds: seconds(l.send),
    read_timeout_seconds: seconds(l.read),
    keepalive_seconds: choice(l.keepalive, l.keepaliveTimes),
    tries: text(l.tries),
    retry_on: values(l.retryOn, (value: keyof typeof l.conditions) => l.conditions[value]),
    websocket: flag(l.websocket),
    grpc: flag(l.grpc),
    object_storage: storageFields(language),
  };
}

function storageFields(language: Language): GroupWords {
  const { text, flag, secret } = wordMakers(language);
  const l = siteObjectStorageText[language];
  return group(l.title, {
    region: text(l.region),
    bucket: text(l.bucket),
    path_style: flag(l.pathStyle),
    access_key_id: text(l.accessKey),
    secret_access_key: secret(l.secret),
  } satisfies WordsOf<NonNullable<SiteSnapshot['origin_server_config']['object_storage']>>);
}

function healthFields(language: Language): WordsOf<SiteSnapshot['backend_health_check']> {
  const { text, flag, choice, seconds, values } = wordMakers(language);
  const l = siteHealthText[language];
  return {
    enabled: flag(l.enabled),
    protocol: choice(l.protocol, l.protocols),
    port: text(l.port),
    host: text(l.host),
    path: text(l.path),
    method: text(l.method),
    expected_codes: values(l.codes),
    body_contains: text(l.body),
    interval_seconds: seconds(l.interval),
    timeout_seconds: seconds(l.timeout),
    rise: text(l.rise),
    fall: text(l.fall),
    user_agent: text(l.userAgent),
    hold_down_seconds: seconds(l.holdDown),
    failback_delay_seconds: seconds(l.failback),
  };
}

function certificateFields(language: Language): WordsOf<SiteSnapshot['certificate_settings']> {
  const { text, flag, choice, seconds, values, condition } = wordMakers(language);
  const l = siteHttpsText[language];
  const automatic = automaticText[language];
  type Settings = SiteSnapshot['certificate_settings'];
  return {
    certificate_ids: values(siteConfigText[language].certificateForm.chosen, (id: number, names: Names) =>
      names.certificate(id),
    ),
    auto_certificate: flag(automatic.enabled),
    auto_acme_account_id: text(`${automatic.title}: ${automatic.authority} ID`),
    auto_dns_account_id: text(`${automatic.dnsAccount} ID`),
    force_https: group(l.force, {
      enabled: flag(l.forceEnabled),
      status: choice(l.status, l.statuses),
      port: text(l.port),
      only_domains: values(l.only),
      except_domains: values(l.except),
      condition: condition(),
    } satisfies WordsOf<Settings['force_https']>),
    hsts: group(l.hsts, {
      enabled: flag(l.hstsEnabled),
      max_age_seconds: seconds(l.maxAge),
      include_subdomains: flag(l.subdomains),
      preload: flag(l.preload),
    } satisfies WordsOf<Settings['hsts']>),
    min_version: text(l.min),
    max_version: text(l.max),
    cipher_level: choice(l.level, l.levels),
    ocsp_stapling: flag(l.stapling),
    client_certificate: group(l.client, {
      mode: choice(l.mode, l.modes),
      ca: text(l.ca),
      depth: text(l.depth),
      pass_to_origin: flag(l.pass),
    } satisfies WordsOf<Settings['client_certificate']>),
  };
}

function portFields(language: Language): WordsOf<SiteSnapshot['listen_port']> {
  const { values } = wordMakers(language);
  const l = sitePortsText[language];
  return { http_ports: values(l.http), https_ports: values(l.https) };
}

function limitFields(language: Language): WordsOf<SiteSnapshot['security']> {
  const { t, text, flag, seconds, bytes, condition } = wordMakers(language);
  const l = siteLimitsText[language];
  const of = (heading: string, label: string) => t.within(heading, label);
  const rate = (label: string) =>
    group(label, {
      requests: text(l.requests),
      period_seconds: seconds(l.period),
      burst: text(l.burst),
      condition: condition(),
    } satisfies WordsOf<SiteSnapshot['security']['rate']>);
  return {
    connections: text(of(l.connections, l.ofSite)),
    connections_per_address: text(of(l.connections, l.perAddress)),
    connections_condition: condition(of(l.connections, t.condition)),
    rate: rate(l.rate),
    rate_per_address: rate(l.ratePerAddress),
    rate_counts_hits: flag(l.countsHits),
    bandwidth: bytes(of(l.bandwidth, l.bandwidthOfSite), '/s'),
    bandwidth_per_address: bytes(of(l.bandwidth, l.bandwidthOfVisitor), '/s'),
    bandwidth_per_connection: bytes(of(l.bandwidth, l.bandwidthOfAnswer), '/s'),
    bandwidth_condition: condition(of(l.bandwidth, t.condition)),
    body_bytes_max: bytes(l.body),
    body_condition: condition(of(l.body, t.condition)),
    body_rate_min: text(l.bodyRate),
    header_lines_max: text(l.lines),
    header_line_bytes_max: bytes(l.line),
    header_bytes_max: bytes(l.allLines),
    url_bytes_max: bytes(l.url),
  };
}

function realIpFields(language: Language): WordsOf<SiteSnapshot['real_ip']> {
  const { text, choice, values } = wordMakers(language);
  const l = siteRealIpText[language];
  return {
    mode: choice(l.mode, l.modes),
    headers: values(l.headers),
    depth: text(l.depth),
    preset: choice(l.preset, l.presets),
    trusted: values(l.trusted),
    address_lists: values(l.addressLists, (id: number, names: Names) => names.list(id)),
    pass_headers: values(l.passHeaders),
  };
}

function refererFields(language: Language): WordsOf<SiteSnapshot['block_referer']> {
  const { text, flag, choice, values } = wordMakers(language);
  const l = siteRefererText[language];
  return {
    enabled: flag(l.enabled),
    allow: values(l.allow),
    deny: values(l.deny),
    allow_empty: flag(l.allowEmpty),
    allow_same_domain: flag(l.allowSame),
    check_origin: flag(l.checkOrigin),
    only_paths: values(l.onlyPaths),
    except_paths: values(l.exceptPaths),
    action: choice(l.action, l.actions),
    status: text(l.status),
    redirect_url: text(l.redirectUrl),
  };
}
