import * as z from 'zod';
import {
  dateTime,
  hostAddress,
  id,
  idParams,
  idText,
  listOf,
  listQuery,
  inputText,
  port,
  siteDomains,
  version,
} from './common.ts';
import { defineRoutes, type RouteSpec } from './define.ts';
import { documentKinds, levelNames } from './edge-document.ts';
import { shown } from './secret.ts';
import { inheritance, ownInput } from './site-inheritance.ts';
import { siteSectionNames, siteSections } from './site-config.ts';
import { accessControl } from './site-config/access-control.ts';
import { blockReferer } from './site-config/block-referer.ts';
import { backendHealthCheck } from './site-config/backend-health-check.ts';
import { advancedConfig } from './site-config/advanced-config.ts';
import { cacheRuleSection } from './site-config/cache-rule.ts';
import { certificateSettings } from './site-config/certificate-settings.ts';
import { contentRewrite } from './site-config/content-rewrite.ts';
import { levelAccess } from './site-config/level-access.ts';
import { ccGuardianRule } from './site-config/cc-guardian-rule.ts';
import { browserVerifyRule } from './site-config/browser-verify.ts';
import { matcherRuleSection } from './site-config/matcher-rule.ts';
import { listenPort } from './site-config/listen-port.ts';
import { originServerConfig } from './site-config/origin-server-config.ts';
import { usedSystemRule } from './site-config/used-system-rule.ts';
import { siteCertificateStatuses, siteStatuses, siteStatusReasons } from './site-status.ts';
import { siteTag } from './site-tag.ts';
import { speedOptimize } from './site-config/speed-optimize.ts';
import { realIp } from './site-config/real-ip.ts';
import { siteSecurity } from './site-config/site-security.ts';

/** `none`: no node serves its line group. `pending` until every node has acknowledged; `refused` when one said no. */
export const deliveryStatuses = ['none', 'pending', 'applied', 'refused'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Two fields suffice. `origin` is `host` or `host:port`; without `order_id` the customer's newest active order is used. */
export const siteCreateInput = z.strictObject({
  domains: siteDomains,
  origin: hostAddress,
  origin_port: port.optional(),
  origin_protocol: z.enum(['http', 'https', 'follow']).default('http'),
  /** Beside the first; requests are shared out among all of them. */
  other_origins: z
    .array(z.strictObject({ address: hostAddress, port: port.optional() }))
    .max(63)
    .default([]),
  order_id: id.optional(),
});

export const siteDelivery = z.strictObject({
  status: z.enum(deliveryStatuses),
  nodes_applied: z.int(),
  nodes_total: z.int(),
});

export const site = z.strictObject({
  id,
  domains: z.array(z.string()),
  status: z.enum(siteStatuses),
  status_reason: z.enum(siteStatusReasons),
  /** What the operator wrote when suspending it; the customer reads it too. */
  status_note: z.string(),
  /** Domains that are not proven yet, so that nodes show a page in place of the site. */
  domains_waiting: z.int(),
  /** Those of them that overlap with names of other customers: nodes serve those, and no page. */
  domains_contested: z.int(),
  /** Since when it is being deleted: it stays visible until no node has it any more. */
  removing_since: dateTime.nullable(),
  /** The name its domains are to point at; null while the platform has no domain for such names. */
  cname: z.string().nullable(),
  client_id: id,
  client_name: z.string(),
  order_id: id,
  product_id: id,
  product_name: z.string(),
  line_group_id: id,
  line_group_name: z.string(),
  /** Its origins with the port that is asked, both where the visitor's protocol is followed: `192.0.2.1:80/443`. */
  origins: z.array(z.string()),
  /** Grows with every change; a save names the one it was built on. */
  version: z.int(),
  delivery: siteDelivery,
  certificate_status: z.enum(siteCertificateStatuses),
  /** Enabled, and to end within 30 days. */
  certificate_expires_soon: z.boolean(),
  tags: z.array(siteTag),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Site = z.infer<typeof site>;

export const documentDelivery = z.strictObject({
  kind: z.enum(documentKinds),
  key: z.string(),
  desired_revision: z.int(),
  updated_at: dateTime,
  nodes: z.array(
    z.strictObject({
      node_id: id,
      node_name: z.string(),
      online: z.boolean(),
      active_revision: z.int().nullable(),
      status: z.enum(['pending', 'applied', 'refused']),
      error: z.string().nullable(),
      acked_at: dateTime.nullable(),
    }),
  ),
});
export type DocumentDelivery = z.infer<typeof documentDelivery>;

/** What a revision holds: the whole configuration as it was after the change. */
export const siteSnapshot = z.strictObject({
  domains: z.array(z.string()),
  status: z.enum(siteStatuses),
  status_reason: z.enum(siteStatusReasons).default('none'),
  status_note: z.string().default(''),
  ...siteSections,
  /** What of it is set here (`security.rate`); other fields that sites inherit are as their levels have them. */
  own: z.array(z.string()).default([]),
});
export type SiteSnapshot = z.infer<typeof siteSnapshot>;

/** One changed value; `path` is dotted. A side is absent where the value did not exist. See `diffJson`. */
export const diffEntry = z.strictObject({
  path: z.string(),
  before: z.json().optional(),
  after: z.json().optional(),
  /** Of an item of a list that was moved: its place before, from 0; the path has the one now. */
  from: z.int().min(0).optional(),
  /** What names the items of lists that the value stands in, the outermost first. */
  of: z.array(z.json()).optional(),
});

export const siteRevision = z.strictObject({
  id,
  version: z.int(),
  section: z.enum(['site', 'domains', 'status', 'rollback', 'import', ...siteSectionNames]),
  author_type: z.enum(['admin', 'client', 'member', 'system']),
  /** Empty for customers where an administrator changed it. */
  author_name: z.string(),
  created_at: dateTime,
  diff: z.array(diffEntry),
});
export type SiteRevision = z.infer<typeof siteRevision>;

const rollbackTarget = {
  revision_id: id,
  /** Only this part; absent: everything but the status. */
  section: z.enum(['domains', ...siteSectionNames]).optional(),
};

export const siteRoutes = defineRoutes({
  getSite: {
    method: 'GET',
    path: '/prod-api/site/{id}',
    summary: 'Get a site.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: site,
  },
  createSite: {
    method: 'POST',
    path: '/prod-api/site',
    summary: 'Add a site. Only a domain and an origin are required.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    body: siteCreateInput,
    response: z.strictObject({ id, task_id: id }),
  },
  updateSiteDomains: {
    method: 'PUT',
    path: '/prod-api/site/{id}/domain_name',
    summary: 'Set the domains of a site.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    body: z.strictObject({ version, domains: siteDomains }),
    response: z.strictObject({ version, task_id: id.nullable() }),
  },
  updateSiteStatus: {
    method: 'PUT',
    path: '/prod-api/site/{id}/status',
    summary:
      'Bring a site online or take it offline. Operators can also suspend it, and bring it online before its domains are verified, unless they overlap with domains of other customers.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    body: z.strictObject({
      version,
      status: z.enum(['online', 'offline', 'suspended']),
      /** Why it is suspended, for the customer to read. */
      note: inputText().trim().max(500).default(''),
    }),
    response: z.strictObject({ version, task_id: id.nullable() }),
  },
  removeSite: {
    method: 'DELETE',
    path: '/prod-api/site/{id}',
    summary:
      'Delete a site. It is listed as being deleted until all of its nodes have confirmed the removal.',
    access: { kind: 'both', permission: 'site.delete' },
    params: idParams,
    response: z.strictObject({ task_id: id.nullable() }),
  },
  removeSiteForced: {
    method: 'DELETE',
    path: '/prod-api/site/{id}/forced',
    summary: 'Delete a site immediately. Nodes that are offline remove it when they reconnect.',
    access: { kind: 'admin', permission: 'site.delete_forced' },
    params: idParams,
    response: z.strictObject({ task_id: id.nullable() }),
  },
  getSiteDelivery: {
    method: 'GET',
    path: '/prod-api/site/{id}/sync_status',
    summary:
      'Get the deployment of a site: for each document, the target revision and the active revision of every node.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: z.strictObject({ documents: z.array(documentDelivery) }),
  },
  forceSiteSync: {
    method: 'POST',
    path: '/prod-api/site/{id}/force_sync',
    summary: 'Redeploy a site to its nodes as a new revision.',
    access: { kind: 'admin', permission: 'site.sync' },
    params: idParams,
    response: z.strictObject({ task_id: id }),
  },
  listSiteRevisions: {
    method: 'GET',
    path: '/prod-api/site/{id}/revision',
    summary:
      'List the versions of a site, newest first, with author, section and differences to the previous version.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: listQuery({}),
    response: listOf(siteRevision),
  },
  previewSiteRollback: {
    method: 'GET',
    path: '/prod-api/site/{id}/rollback/preview',
    summary: 'Preview what rolling back to an earlier version would change.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: z.strictObject({ ...rollbackTarget, revision_id: z.coerce.number().pipe(id) }),
    response: z.strictObject({ version, diff: z.array(diffEntry) }),
  },
  rollbackSite: {
    method: 'POST',
    path: '/prod-api/site/{id}/rollback',
    summary:
      'Roll the configuration, or one section of it, back to an earlier version. This creates a new version.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    body: z.strictObject({ version, ...rollbackTarget }),
    response: z.strictObject({ version, task_id: id.nullable() }),
  },
});

const siteIdQuery = z.strictObject({ site_id: idText });
const saved = z.strictObject({ version, task_id: id.nullable() });

/** Reads and writes of one section, by `site_id`. The three routes below are spelled out so that their types are exact. */
function readSection<Value extends RouteSpec['response']>(section: string, value: Value) {
  return {
    method: 'GET',
    path: `/prod-api/site_config/${section}`,
    summary: `Get the ${section} section of a site with its version.`,
    access: { kind: 'both', permission: 'site.read' },
    query: siteIdQuery,
    response: z.strictObject({ version, value }),
  } as const;
}
function writeSection<Value extends RouteSpec['response']>(section: string, value: Value) {
  return {
    method: 'PUT',
    path: `/prod-api/site_config/${section}`,
    summary: `Change the ${section} section of a site. Send the version the change is based on.`,
    access: { kind: 'both', permission: 'site.write' },
    query: siteIdQuery,
    body: z.strictObject({ version, value }),
    response: saved,
  } as const;
}

/** A section of protection stands at `waf_config`, its site in the path; else as the others. */
function atSite<Route extends { path: string; query: unknown }>(
  { query: _query, ...route }: Route,
  section: string,
) {
  return { ...route, path: `/prod-api/site/{id}/waf_config/${section}`, params: idParams } as const;
}

/** A section that sites inherit: `value` is what is in effect. */
function readInherited<Value extends RouteSpec['response']>(section: string, value: Value) {
  return {
    ...readSection(section, value),
    response: z.strictObject({ version, value, ...inheritance }),
  } as const;
}
function writeInherited<Value extends RouteSpec['response']>(section: string, value: Value) {
  return {
    ...writeSection(section, value),
    body: z.strictObject({ version, value, own: ownInput }),
  } as const;
}

export const siteConfigRoutes = defineRoutes({
  getOriginServerConfig: readSection('origin_server_config', shown(originServerConfig)),
  updateOriginServerConfig: writeSection('origin_server_config', originServerConfig),
  getBackendHealthCheck: readSection('backend_health_check', backendHealthCheck),
  updateBackendHealthCheck: writeSection('backend_health_check', backendHealthCheck),
  getCacheRule: readInherited('cache_rule', cacheRuleSection),
  updateCacheRule: writeInherited('cache_rule', cacheRuleSection),
  getSpeedOptimize: readInherited('speed_optimize', speedOptimize),
  updateSpeedOptimize: writeInherited('speed_optimize', speedOptimize),
  getCertificateSettings: readInherited('certificate_settings', certificateSettings),
  updateCertificateSettings: writeInherited('certificate_settings', certificateSettings),
  getAdvancedConfig: readInherited('advanced_config', advancedConfig),
  updateAdvancedConfig: {
    ...writeInherited('advanced_config', advancedConfig),
    bodyBytesMax: 1024 * 1024,
    /** The node that tried a new snippet first; null where there was nothing new, or no node answered. */
    response: saved.extend({ snippet_tried_on: z.string().nullable() }),
  },
  getListenPort: readSection('listen_port', listenPort),
  updateListenPort: writeSection('listen_port', listenPort),
  getSiteSecurity: readInherited('security', siteSecurity),
  updateSiteSecurity: writeInherited('security', siteSecurity),
  getRealIp: readInherited('real_ip', realIp),
  updateRealIp: writeInherited('real_ip', realIp),
  getAccessControl: readSection('access_control', shown(accessControl)),
  getAccessAbove: {
    method: 'GET',
    path: '/prod-api/site_config/access_control/above',
    summary:
      'Get the access control that a site inherits, highest level first. It is evaluated before the rules of the site.',
    access: { kind: 'both', permission: 'site.read' },
    query: siteIdQuery,
    response: z.strictObject({ levels: z.array(levelAccess.extend({ level: z.enum(levelNames) })) }),
  },
  updateAccessControl: { ...writeSection('access_control', accessControl), bodyBytesMax: 1024 * 1024 },
  getBlockReferer: readInherited('block_referer', blockReferer),
  updateBlockReferer: writeInherited('block_referer', blockReferer),
  getContentRewrite: readInherited('content_rewrite', contentRewrite),
  updateContentRewrite: {
    ...writeInherited('content_rewrite', contentRewrite),
    bodyBytesMax: 2 * 1024 * 1024,
  },
  getCcGuardianRule: atSite(readInherited('cc_guardian_rule', ccGuardianRule), 'cc_guardian_rule'),
  updateCcGuardianRule: atSite(writeInherited('cc_guardian_rule', ccGuardianRule), 'cc_guardian_rule'),
  getBrowserVerifyRule: atSite(
    readInherited('browser_verify_rule', browserVerifyRule),
    'browser_verify_rule',
  ),
  updateBrowserVerifyRule: atSite(
    writeInherited('browser_verify_rule', browserVerifyRule),
    'browser_verify_rule',
  ),
  getMatcherRule: atSite(readSection('matcher_rule', matcherRuleSection), 'matcher_rule'),
  getMatcherRuleAbove: {
    method: 'GET',
    path: '/prod-api/site/{id}/waf_config/matcher_rule/above',
    summary:
      'Get the matcher rules that a site inherits, highest level first. They are evaluated before the rules of the site.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: z.strictObject({
      levels: z.array(matcherRuleSection.extend({ level: z.enum(levelNames) })),
    }),
  },
  getUsedSystemRule: atSite(readInherited('used_system_rule', usedSystemRule), 'used_system_rule'),
  updateUsedSystemRule: atSite(writeInherited('used_system_rule', usedSystemRule), 'used_system_rule'),
  updateMatcherRule: {
    ...atSite(writeSection('matcher_rule', matcherRuleSection), 'matcher_rule'),
    bodyBytesMax: 2 * 1024 * 1024,
  },
});
