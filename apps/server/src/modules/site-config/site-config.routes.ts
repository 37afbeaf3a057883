import {
  sitePortRoutes,
  sitePortSettings,
  siteConfigRoutes,
  siteVersionRoutes,
  isInheritedSection,
  type InheritedSection,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { checkedOwn, effectiveSection, ownAfter, withSection } from '../../site-values.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { presentInherited, readAbove, readAskedAbove } from '../site-level/site-level.store.ts';
import { keepSecrets, presentSection, sealSection } from '../site-section/site-section.service.ts';
import { compareVersions, readConfig } from './site-config.store.ts';
import { exportSite, importSite, previewImport } from './site-file.ts';
import { readPortRange } from './site-port.store.ts';
import { trySnippet, trySnippetOfFile } from './site-snippet.ts';
import { changeSite } from './site-write.ts';

export const siteConfigModule = implement(siteConfigRoutes, {
  getOriginServerConfig: (context) => readSection(context, 'origin_server_config'),
  updateOriginServerConfig: (context) => writeSection(context, 'origin_server_config', context.body),
  getBackendHealthCheck: (context) => readSection(context, 'backend_health_check'),
  updateBackendHealthCheck: (context) => writeSection(context, 'backend_health_check', context.body),
  getCacheRule: (context) => readInherited(context, 'cache_rule'),
  updateCacheRule: (context) => writeSection(context, 'cache_rule', context.body),
  getSpeedOptimize: (context) => readInherited(context, 'speed_optimize'),
  updateSpeedOptimize: (context) => writeSection(context, 'speed_optimize', context.body),
  getCertificateSettings: (context) => readInherited(context, 'certificate_settings'),
  updateCertificateSettings: (context) => writeSection(context, 'certificate_settings', context.body),
  getAdvancedConfig: (context) => readInherited(context, 'advanced_config'),
  updateAdvancedConfig: async (context) => {
    const { services, scope, query, body } = context;
    const { snippet } = body.value;
    const triedOn = await trySnippet(services, scope, query.site_id, snippet, 'value.snippet');
    return { ...(await writeSection(context, 'advanced_config', body)), snippet_tried_on: triedOn };
  },
  getListenPort: (context) => readSection(context, 'listen_port'),
  updateListenPort: (context) => writeSection(context, 'listen_port', context.body),
  getSiteSecurity: (context) => readInherited(context, 'security'),
  updateSiteSecurity: (context) => writeSection(context, 'security', context.body),
  getRealIp: (context) => readInherited(context, 'real_ip'),
  updateRealIp: (context) => writeSection(context, 'real_ip', context.body),
  getAccessControl: (context) => readSection(context, 'access_control'),
  getAccessAbove: async ({ services, scope, query }) => {
    const { clientId, productId } = await readConfig(services.db, scope, query.site_id);
    return { levels: await readAskedAbove(services.db, { clientId, productId }, 'access_control') };
  },
  updateAccessControl: (context) => writeSection(context, 'access_control', context.body),
  getBlockReferer: (context) => readInherited(context, 'block_referer'),
  updateBlockReferer: (context) => writeSection(context, 'block_referer', context.body),
  getContentRewrite: (context) => readInherited(context, 'content_rewrite'),
  updateContentRewrite: (context) => writeSection(context, 'content_rewrite', context.body),
  getCcGuardianRule: (context) => readInherited(ofPath(context), 'cc_guardian_rule'),
  updateCcGuardianRule: (context) => writeSection(ofPath(context), 'cc_guardian_rule', context.body),
  getBrowserVerifyRule: (context) => readInherited(ofPath(context), 'browser_verify_rule'),
  updateBrowserVerifyRule: (context) => writeSection(ofPath(context), 'browser_verify_rule', context.body),
  getMatcherRule: (context) => readSection(ofPath(context), 'matcher_rule'),
  getMatcherRuleAbove: async ({ services, scope, params }) => {
    const { clientId, productId } = await readConfig(services.db, scope, params.id);
    return { levels: await readAskedAbove(services.db, { clientId, productId }, 'matcher_rule') };
  },
  getUsedSystemRule: (context) => readInherited(ofPath(context), 'used_system_rule'),
  updateUsedSystemRule: (context) => writeSection(ofPath(context), 'used_system_rule', context.body),
  updateMatcherRule: (context) => writeSection(ofPath(context), 'matcher_rule', context.body),
});

export const sitePortModule = implement(sitePortRoutes, {
  getSitePortRange: ({ services, scope, params }) => readPortRange(services.db, scope, params.id),
  getSitePortSetting: reads(sitePortSettings),
  updateSitePortSetting: writes(sitePortSettings),
});

export const siteVersionModule = implement(siteVersionRoutes, {
  compareSiteVersions: ({ services, scope, params, query }) =>
    compareVersions(services, scope, params.id, query),
  exportSite: ({ services, scope, params }) => exportSite(services, scope, params.id),
  previewSiteImport: ({ services, scope, params, body }) => previewImport(services, scope, params.id, body),
  importSite: async ({ services, session, scope, params, body }) => {
    await trySnippetOfFile(services, scope, params.id, body);
    return importSite(services, { session, scope }, params.id, body);
  },
});

interface SectionContext {
  services: Services;
  session: Session;
  scope: Scope;
  query: { site_id: number };
}

/** Sections of protection have their site in the path. */
const ofPath = <Context extends { params: { id: number } }>(context: Context) => ({
  ...context,
  query: { site_id: context.params.id },
});

async function readSection<Section extends SiteSection>(
  { services, scope, query }: SectionContext,
  section: Section,
) {
  const { version, config } = await readConfig(services.db, scope, query.site_id);
  return { version, value: presentSection(section, config[section]) };
}

/** A section that sites inherit, as it is in effect. */
async function readInherited<Section extends InheritedSection>(
  { services, scope, query }: SectionContext,
  section: Section,
) {
  const { version, config, ...belonging } = await readConfig(services.db, scope, query.site_id);
  const above = await readAbove(services.db, belonging);
  return { version, ...presentInherited(section, config, above) };
}

async function writeSection<Section extends SiteSection>(
  { services, session, scope, query }: SectionContext,
  section: Section,
  body: { version: number; value: SiteSnapshot[Section]; own?: string[] | undefined },
) {
  return changeSite(services, { session, scope }, query.site_id, {
    section,
    version: body.version,
    path: 'value',
    apply: (before, above) => {
      const inEffect = isInheritedSection(section)
        ? effectiveSection(section, before, above.layers)
        : before[section];
      const value = keepSecrets(section, sealSection(section, body.value, services.secrets), inEffect);
      const own = checkedOwn(section, body.own) ?? ownAfter(before, section, value, above.layers);
      // What was sent of a field that is inherited is not looked at.
      return withSection(before, section, value, own);
    },
  });
}
