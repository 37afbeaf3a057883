import * as z from 'zod';
import { captchaProviderCodes } from './captcha-vendors.ts';
import { inputText, count } from './common.ts';
import { backendHealthCheck } from './site-config/backend-health-check.ts';
import { accessControl } from './site-config/access-control.ts';
import { advancedConfig, type AdvancedConfig } from './site-config/advanced-config.ts';
import { blockReferer, type BlockReferer } from './site-config/block-referer.ts';
import { edgeCacheRule, type EdgeCacheRule } from './site-config/cache-rule.ts';
import { certificateSettings } from './site-config/certificate-settings.ts';
import { contentRewrite, type ContentRewrite } from './site-config/content-rewrite.ts';
import { edgeOriginConfig } from './site-config/origin-server-config.ts';
import { levelAccess, type LevelAccess } from './site-config/level-access.ts';
import { ccGuardianRule, type CcGuardianRule } from './site-config/cc-guardian-rule.ts';
import { browserVerifyRule, type BrowserVerifyRule } from './site-config/browser-verify.ts';
import { matcherRuleSection, type MatcherRuleSection } from './site-config/matcher-rule.ts';
import { listenPort } from './site-config/listen-port.ts';
import { speedOptimize, type SpeedOptimize } from './site-config/speed-optimize.ts';
import { siteStatuses, siteStatusReasons } from './site-status.ts';
import { realIp, type RealIp } from './site-config/real-ip.ts';
import { siteSecurity, type SiteSecurity } from './site-config/site-security.ts';
import { edgeSystemRule, type EdgeSystemRule } from './site-config/used-system-rule.ts';

/**
 * What travels to an edge node. The control plane compiles one document per object, the agent writes it to disk
 * and hands it to nginx. Documents carry no nulls: a value is absent, or it is there (Lua has one nil only).
 */

/**
 * The text of one document. A page of documents ends with the one that fills it, at 4 MiB, so none is larger than both together.
 * An address list takes 4.3 MB at most; the table of places is the largest there is.
 */
export const documentBytesMax = 64 * 1024 * 1024;

export const documentKinds = [
  'site',
  'certificate',
  'level',
  'address_list',
  'ip_data',
  'refresh',
  'acme_challenge',
  'ban',
  'ban_setting',
  'known_vulnerability',
  'captcha_account',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A field that is as by default is left out. */
export const documentCertificateSettings = z.strictObject({
  certificate_ids: certificateSettings.shape.certificate_ids.unwrap(),
  force_https: certificateSettings.shape.force_https.unwrap().optional(),
  hsts: certificateSettings.shape.hsts.unwrap().optional(),
  min_version: certificateSettings.shape.min_version.unwrap().optional(),
  max_version: certificateSettings.shape.max_version.unwrap().optional(),
  cipher_level: certificateSettings.shape.cipher_level.unwrap().optional(),
  ocsp_stapling: z.boolean().optional(),
  client_certificate: certificateSettings.shape.client_certificate.unwrap().optional(),
});

const cacheSettings = z.strictObject({
  cache_header: z.boolean(),
  cache_status_header: z.boolean(),
  always_online: z.boolean(),
  invalidate_on_change: z.boolean(),
  languages: z.array(z.string()),
  /** Seconds since 1970. */
  development_until: z.int().optional(),
});

/**
 * What sites inherit, as a level or a site has it: only what is set there. `unset` names fields (`security.connections`)
 * that are set to nothing, for documents carry no nulls.
 */
const inheritedSections = {
  cache_rule: z.array(edgeCacheRule).optional(),
  /** What the section `cache_rule` says besides its rules. */
  cache_settings: cacheSettings.partial().optional(),
  speed_optimize: someOf(speedOptimize).optional(),
  advanced_config: someOf(advancedConfig).optional(),
  security: someOf(siteSecurity).optional(),
  cc_guardian_rule: someOf(ccGuardianRule).optional(),
  browser_verify_rule: someOf(browserVerifyRule).optional(),
  real_ip: someOf(realIp).optional(),
  block_referer: someOf(blockReferer).optional(),
  content_rewrite: someOf(contentRewrite).optional(),
  used_system_rule: someOf(edgeSystemRule).optional(),
  unset: z.array(z.string()).optional(),
  /** What a node must know to serve it, as `packages/policy/src/site/needs.ts` names it; one that does not refuses it. */
  needs: z.array(z.string()).optional(),
};

function someOf<Shape extends z.ZodRawShape>({ shape }: { shape: Shape }) {
  return z.strictObject(shape).partial();
}

export const levelNames = ['global', 'product', 'client'] as const;
export type LevelName = (typeof levelNames)[number];

/** What all sites, those of a product or those of a customer have unless something nearer to them says otherwise. */
export const levelDocument = z.strictObject({
  level: z.enum(levelNames),
  /** The product or the customer; absent for the platform. */
  target_id: z.int().optional(),
  ...inheritedSections,
  certificate_settings: documentCertificateSettings.partial().optional(),
  access_control: levelAccess.optional(),
  matcher_rule: matcherRuleSection.optional(),
});
export type LevelDocument = z.infer<typeof levelDocument>;

/**
 * A site as it travels. `domains` are lower-case ASCII (punycode), exact or `*.example.com`. What it does not set, its
 * levels do (`mergeSite`), or else it is as by default: most sites set little, and a node holds them all in memory.
 */
export const siteDocument = z.strictObject({
  site_id: z.int(),
  client_id: z.int(),
  order_id: z.int(),
  /** Absent in documents from before products had defaults. */
  product_id: z.int().optional(),
  status: z.enum(siteStatuses),
  /** Why it is suspended. */
  status_reason: z.enum(siteStatusReasons).optional(),
  /** None while all of them wait beside names of other customers. */
  domains: z.array(z.string()),
  /** Those of `domains` that are not proven yet: a page says so instead of the site. */
  waiting_domains: z.array(z.string()).optional(),
  /** Those of `domains` that lack a filing number where the line group asks for one: a page says so instead of the site. */
  unfiled_domains: z.array(z.string()).optional(),
  origin_server_config: edgeOriginConfig,
  certificate_settings: documentCertificateSettings,
  listen_port: listenPort.optional(),
  /** Pages that are not to be shown, as `host/path` or `host/path?query`. */
  offline_pages: z.array(z.string()).optional(),
  /** Absent: origins are not checked. */
  backend_health_check: backendHealthCheck.optional(),
  access_control: accessControl.optional(),
  matcher_rule: matcherRuleSection.optional(),
  ...inheritedSections,
});
export type SiteDocument = z.infer<typeof siteDocument>;

/** A site with what it inherits; a section that is absent is as by default. */
export interface EffectiveSite extends Omit<SiteDocument, keyof typeof inheritedSections> {
  cache_rule: EdgeCacheRule[];
  cache_settings?: z.infer<typeof cacheSettings>;
  speed_optimize?: SpeedOptimize;
  advanced_config?: AdvancedConfig;
  security?: SiteSecurity;
  cc_guardian_rule?: CcGuardianRule;
  browser_verify_rule?: BrowserVerifyRule;
  real_ip?: RealIp;
  /** What levels say of who may come in, the highest first. */
  access_levels?: (LevelAccess & { level: LevelName })[];
  /** Their rules on requests, the highest first. */
  matcher_levels?: (MatcherRuleSection & { level: LevelName })[];
  block_referer?: BlockReferer;
  content_rewrite?: ContentRewrite;
  used_system_rule?: EdgeSystemRule;
}

/** Addresses that sites' rules name, in ranges as `packages/policy/src/address/address-set.ts` packs them, in base64. */
export const addressListDocument = z.strictObject({ list_id: z.int(), v4: z.string(), v6: z.string() });
export type AddressListDocument = z.infer<typeof addressListDocument>;

/** Where addresses are, as `packages/policy/src/address/ip-data.ts` reads it; the texts of bytes in base64. */
export const ipDataDocument = z.strictObject({
  v4: z.string(),
  v4_places: z.string(),
  v6: z.string(),
  v6_places: z.string(),
  places: z.array(z.string()),
  /** Numbers of networks, in four bytes for each stretch; only where there is data of them. */
  asn: z
    .strictObject({ v4: z.string(), v4_numbers: z.string(), v6: z.string(), v6_numbers: z.string() })
    .optional(),
});
export type IpDataDocument = z.infer<typeof ipDataDocument>;

/**
 * What of a site's stored answers is no longer to be served, by host: targets (path and query), and folders with all below them.
 * Applied once, when it comes: the node remembers by counters (docs/caching.md).
 */
export const refreshDocument = z.strictObject({
  refresh_id: z.int(),
  site_id: z.int(),
  /** What is stored may be served again once the origin has said that it is still good. A node that does not know it fetches all anew. */
  mode: z.literal('revalidate').optional(),
  all: z.literal(true).optional(),
  urls: z.record(z.string(), z.array(z.string())).optional(),
  /** Each ends with `/`. */
  folders: z.record(z.string(), z.array(z.string())).optional(),
  /** In lower case, of all hosts of the site. */
  tags: z.array(z.string()).optional(),
});
export type RefreshDocument = z.infer<typeof refreshDocument>;

/**
 * What nodes answer below `/.well-known/acme-challenge/` while a certificate is obtained (RFC 8555 §8.3): by host, then by token.
 * Hosts that the node does not serve answer nothing.
 */
export const acmeChallengeDocument = z.strictObject({
  order_id: z.int(),
  answers: z.record(z.string(), z.record(z.string(), z.string())),
});
export type AcmeChallengeDocument = z.infer<typeof acmeChallengeDocument>;

/**
 * Some of the addresses that are turned away, some hundred in each document: what it names stands until its own end, and what it
 * no longer names was released, or stands in another.
 */
export const banDocument = z.strictObject({
  segment_id: z.int(),
  bans: z.array(
    z.strictObject({
      id: z.int(),
      /** An address, or a network by CIDR. */
      address: z.string(),
      /** Of one site, else of all sites of one customer, else of all sites. */
      site_id: z.int().optional(),
      client_id: z.int().optional(),
      /** Seconds since 1970. */
      until: z.int(),
      /** Packets are dropped besides, where the node may do that. */
      kernel: z.literal(true).optional(),
    }),
  ),
});
export type BanDocument = z.infer<typeof banDocument>;

/** Whom no ban is for, and what those are told that one is for. */
export const banSettingDocument = z.strictObject({
  /** Sets as `packages/policy/src/address/address-set.ts` packs them, in base64. */
  never: z.array(z.strictObject({ v4: z.string(), v6: z.string() })),
  never_robots: z.boolean(),
  never_private: z.boolean(),
  /** Empty: no way to object is shown. */
  objection: z.string(),
});
export type BanSettingDocument = z.infer<typeof banSettingDocument>;

/** How visitors are asked by others' challenges, and how the vendor is asked whether they have passed (docs/browser-verification.md). */
export const captchaAccountDocument = z.strictObject({
  account_id: z.int(),
  vendor: z.enum(captchaProviderCodes),
  site_key: z.string(),
  secret_key: z.string(),
  /** Where answers are verified. */
  verify_url: z.string(),
  /** The script of the page, without a query, and from where else that page may load and ask. */
  script_url: z.string(),
  sources: z.array(z.string()),
  /** Of GeeTest at another server: the host that its script asks. */
  api_host: z.string().optional(),
  /** reCAPTCHA v3: nobody is asked anything, and whose score is lower does not pass. */
  score_min: z.number().optional(),
});
export type CaptchaAccountDocument = z.infer<typeof captchaAccountDocument>;

/** A certificate pair in PEM, leaf first. `domains` are its subject alternative names. */
export const certificateDocument = z.strictObject({
  certificate_id: z.int(),
  domains: z.array(z.string()),
  certificate: z.string(),
  private_key: z.string(),
});
export type CertificateDocument = z.infer<typeof certificateDocument>;

/**
 * The envelope of a document on the wire, on disk and on the node's control socket. `body` is the document as JSON
 * text, kept as text so that `hash` (SHA-256 in hex) is over the same bytes everywhere. A deleted document has no body.
 */
export const documentEnvelope = z.object({
  kind: z.enum(documentKinds),
  key: z.string(),
  revision: z.int(),
  deleted: z.boolean(),
  /** Of a site: through which line group the node has it. */
  line_group_id: z.int().optional(),
  hash: z.string().optional(),
  body: z.string().optional(),
});
export type DocumentEnvelope = z.infer<typeof documentEnvelope>;

/** As it comes from a control plane that may be newer: of a kind that this node does not know, which it refuses by name. */
export const deliveredEnvelope = documentEnvelope.extend({ kind: z.string() });
export type DeliveredEnvelope = z.infer<typeof deliveredEnvelope>;
export const isOfKnownKind = (document: DeliveredEnvelope): document is DocumentEnvelope =>
  documentKinds.some((kind) => kind === document.kind);

/** What the edge says of one document. A refused one leaves the last good revision in service. */
export const documentResult = z.object({
  /** One of `documentKinds`, or of those that a newer control plane has. */
  kind: inputText().max(50),
  key: inputText().max(300),
  revision: count,
  status: z.enum(['applied', 'refused']),
  error: inputText().max(2000).optional(),
});
export type DocumentResult = z.infer<typeof documentResult>;
