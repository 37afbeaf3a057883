import type { ScreensFor } from '@breakwater/contract';
import { lazyScreen } from '../lazy-screen.ts';

/** The screens that only operators have. No file of the build that a customer is sent names them. */
export const operatorScreens = {
  nodeResources: lazyScreen(() => import('../../features/monitor/node-resources.tsx'), 'NodeResources'),
  dataExports: lazyScreen(() => import('../../features/data-export/data-export-list.tsx'), 'DataExportList'),
  areas: lazyScreen(() => import('../../features/area/area-list.tsx'), 'AreaList'),
  nodes: lazyScreen(() => import('../../features/node/node-list.tsx'), 'NodeList'),
  nodeDetail: lazyScreen(() => import('../../features/node/node-detail.tsx'), 'NodeDetail'),
  floods: lazyScreen(() => import('../../features/flood/flood-list.tsx'), 'FloodList'),
  floodDetail: lazyScreen(() => import('../../features/flood/flood-detail.tsx'), 'FloodDetail'),
  logStore: lazyScreen(() => import('../../features/log-store/log-store.tsx'), 'LogStore'),
  lineGroups: lazyScreen(() => import('../../features/line-group/line-group-list.tsx'), 'LineGroupList'),
  lineGroupDetail: lazyScreen(
    () => import('../../features/line-group/line-group-detail.tsx'),
    'LineGroupDetail',
  ),
  products: lazyScreen(() => import('../../features/product/product-list.tsx'), 'ProductList'),
  productDetail: lazyScreen(() => import('../../features/product/product-detail.tsx'), 'ProductDetail'),
  siteDomains: lazyScreen(() => import('../../features/site/domain/domains.tsx'), 'SiteDomains'),
  wafGlobal: lazyScreen(() => import('../../features/site/level/levels.tsx'), 'WafGlobal'),
  siteDefaults: lazyScreen(() => import('../../features/site/level/levels.tsx'), 'SiteDefaults'),
  productDefaults: lazyScreen(() => import('../../features/site/level/levels.tsx'), 'ProductDefaults'),
  clientDefaults: lazyScreen(() => import('../../features/site/level/levels.tsx'), 'ClientDefaults'),
  clients: lazyScreen(() => import('../../features/client/client-list.tsx'), 'ClientList'),
  clientDetail: lazyScreen(() => import('../../features/client/client-detail.tsx'), 'ClientDetail'),
  tasks: lazyScreen(() => import('../../features/task/task-list.tsx'), 'TaskList'),
  ipData: lazyScreen(() => import('../../features/ip-data/ip-data.tsx'), 'IpData'),
  operationLogs: lazyScreen(() => import('../../features/operation-log/operation-log.tsx'), 'OperationLog'),
  acmeAccounts: lazyScreen(
    () => import('../../features/acme-account/acme-account-list.tsx'),
    'AcmeAccountList',
  ),
  domainNameBlacklist: lazyScreen(
    () => import('../../features/domain-name-blacklist/domain-name-blacklist-list.tsx'),
    'DomainNameBlacklistList',
  ),
  blacklistHits: lazyScreen(
    () => import('../../features/domain-name-blacklist/blacklist-hits.tsx'),
    'BlacklistHits',
  ),
  adminUsers: lazyScreen(() => import('../../features/admin-user/admin-users.tsx'), 'AdminUsers'),
  httpFilterSetting: lazyScreen(
    () => import('../../features/setting/http-filter-setting.tsx'),
    'HttpFilterSettingScreen',
  ),
  knownVulnerabilities: lazyScreen(
    () => import('../../features/setting/known-vulnerabilities.tsx'),
    'KnownVulnerabilities',
  ),
  wafSetting: lazyScreen(() => import('../../features/setting/waf-setting.tsx'), 'WafSettingScreen'),
  settings: lazyScreen(() => import('../../features/setting/settings.tsx'), 'Settings'),
} satisfies Record<ScreensFor<'admin'>, unknown>;
