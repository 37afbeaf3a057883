import {
  sitePortRoutes,
  siteConfigRoutes,
  siteListRoutes,
  siteRoutes,
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
import { presentInherited, readAbove, readAccessAbove } from '../site-level/site-level.store.ts';
import { copySection } from '../site-batch/site-batch.service.ts';
import { exportSite, importNewSite, importSite, previewImport } from '../site-config/site-file.ts';
import { removeSite, removeSiteForced } from './site-removal.ts';
import { keepSecrets, withoutSecrets } from '../site-section/section-secrets.ts';
import { setSiteStatus } from './site-status.ts';
import { changeSite, createSite, forceSync, rollbackSite } from '../site-config/site-write.ts';
import { readSitePortSetting, writeSitePortSetting } from '../setting/setting.store.ts';
import { readPortRange } from '../site-section/listen-port.section.ts';
import { trySnippet, trySnippetOfFile, trySnippetOfNewSite, trySnippetOfRevision } from '../site-config/site-snippet.ts';
import {
  compareVersions,
  exportSites,
  getSite,
  listRevisions,
  listSites,
  readConfig,
  readDelivery,
} from './site.store.ts';

export const siteListModule = implement(siteListRoutes, {
  listSites: ({ services, scope, query }) => listSites(services.db, scope, query),
  exportSites: ({ services, scope, query }) => exportSites(services.db, scope, query),
});

export const siteModule = implement(siteRoutes, {
  getSite: ({ services, scope, params }) => getSite(services.db, scope, params.id),
  createSite: async ({ services, session, scope, body }) => {
    const { id, taskId } = await createSite(services, { session, scope }, body);
    return { id, task_id: taskId! };
  },
  updateSiteDomains: ({ services, session, scope, params, body }) =>
    changeSite(services, { session, scope }, params.id, {
      section: 'domains',
      version: body.version,
      path: 'domains',
      apply: (before) => ({ ...before, domains: body.domains }),
    }),
  updateSiteStatus: ({ services, session, scope, params, body }) =>
    setSiteStatus(services, { session, scope }, params.id, body),
  removeSite: async ({ services, session, scope, params }) => ({
    task_id: await removeSite(services, { session, scope }, params.id),
  }),
  removeSiteForced: async ({ services, session, scope, params }) => ({
    task_id: await removeSiteForced(services, { session, scope }, params.id),
  }),
  getSiteDelivery: ({ services, scope, params }) => readDelivery(services.db, scope, params.id),
  forceSiteSync: async ({ services, session, scope, params }) => ({
    task_id: await forceSync(services, { session, scope }, params.id),
  }),
  listSiteRevisions: ({ services, scope, params, query }) =>
    listRevisions(services.db, scope, params.id, query),
  rollbackSite: async ({ services, session, scope, params, body }) => {
    await trySnippetOfRevision(services, scope, params.id, body);
    return rollbackSite(services, { session, scope }, params.id, body);
  },
});

export const siteConfigModule = implement(siteConfigRoutes, {
  getOriginServerConfig: async (context) => {
    const { services, scope, query } = context;
    const { config } = await readConfig(services.db, scope, query.site_id);
    const secret = config.origin_server_config.object_storage?.secret_access_key ?? '';
    return { ...(await readSection(context, 'origin_server_config')), secret_set: secret !== '' };
  },
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
    return { levels: await readAccessAbove(services.db, { clientId, productId }) };
  },
  updateAccessControl: (context) => writeSection(context, 'access_control', context.body),
  getBlockReferer: (context) => readInherited(context, 'block_referer'),
  updateBlockReferer: (context) => writeSection(context, 'block_referer', context.body),
  getContentRewrite: (context) => readInherited(context, 'content_rewrite'),
  updateContentRewrite: (context) => writeSection(context, 'content_rewrite', context.body),
});

export const sitePortModule = implement(sitePortRoutes, {
  getSitePortRange: ({ services, scope, params }) => readPortRange(services.db, scope, params.id),
  getSitePortSetting: ({ services }) => readSitePortSetting(services.db),
  updateSitePortSetting: async ({ services, body }) => {
    await writeSitePortSetting(services.db, body);
    return body;
  },
});

export const siteVersionModule = implement(siteVersionRoutes, {
  compareSiteVersions: ({ services, scope, params, query }) =>
    compareVersions(services.db, scope, params.id, query),
  copySiteSection: async ({ services, session, scope, params, body }) => ({
    id: await copySection(services, { session, scope }, params.id, body),
  }),
  exportSite: ({ services, scope, params }) => exportSite(services, scope, params.id),
  previewSiteImport: ({ services, scope, params, body }) => previewImport(services, scope, params.id, body),
  importSite: async ({ services, session, scope, params, body }) => {
    await trySnippetOfFile(services, scope, params.id, body);
    return importSite(services, { session, scope }, params.id, body);
  },
  importNewSite: async ({ services, session, scope, body }) => {
    await trySnippetOfNewSite(services, scope, body);
    return importNewSite(services, { session, scope }, body);
  },
});

interface SectionContext {
  services: Services;
  session: Session;
  scope: Scope;
  query: { site_id: number };
}

async function readSection<Section extends SiteSection>(
  { services, scope, query }: SectionContext,
  section: Section,
) {
  const { version, config } = await readConfig(services.db, scope, query.site_id);
  return { version, value: withoutSecrets(config[section]) as SiteSnapshot[Section] };
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
      const value = keepSecrets(body.value, inEffect) as SiteSnapshot[Section];
      const own = checkedOwn(section, body.own) ?? ownAfter(before, section, value, above.layers);
      // What was sent of a field that is inherited is not looked at.
      return withSection(before, section, value, own);
    },
  });
}
