import type { ScreenId } from '@breakwater/contract';
import { lazyScreen } from './lazy-screen.ts';

/** The component of every screen of the contract, loaded when it is first visited. A screen that is missing does not compile. */
export const screenComponents = {
  home: lazyScreen(() => import('../features/home/home.tsx'), 'Home'),
  monitor: lazyScreen(() => import('../features/monitor/monitor.tsx'), 'Monitor'),
  analysis: lazyScreen(() => import('../features/monitor/analysis.tsx'), 'Analysis'),
  accessStats: lazyScreen(() => import('../features/monitor/access-stats.tsx'), 'AccessStats'),
  accessLogs: lazyScreen(() => import('../features/access-log/access-log-list.tsx'), 'AccessLogList'),
  dataExports: lazyScreen(() => import('../features/data-export/data-export-list.tsx'), 'DataExportList'),
  areas: lazyScreen(() => import('../features/area/area-list.tsx'), 'AreaList'),
  nodes: lazyScreen(() => import('../features/node/node-list.tsx'), 'NodeList'),
  nodeDetail: lazyScreen(() => import('../features/node/node-detail.tsx'), 'NodeDetail'),
  lineGroups: lazyScreen(() => import('../features/line-group/line-group-list.tsx'), 'LineGroupList'),
  lineGroupDetail: lazyScreen(
    () => import('../features/line-group/line-group-detail.tsx'),
    'LineGroupDetail',
  ),
  products: lazyScreen(() => import('../features/product/product-list.tsx'), 'ProductList'),
  orders: lazyScreen(() => import('../features/order/order-list.tsx'), 'OrderList'),
  orderDetail: lazyScreen(() => import('../features/order/order-detail.tsx'), 'OrderDetail'),
  sites: lazyScreen(() => import('../features/site/site-list.tsx'), 'SiteList'),
  siteDomains: lazyScreen(() => import('../features/site/site-domains.tsx'), 'SiteDomains'),
  siteCreate: lazyScreen(() => import('../features/site/site-create.tsx'), 'SiteCreate'),
  siteDetail: lazyScreen(() => import('../features/site/site-detail.tsx'), 'SiteDetail'),
  siteDefaults: lazyScreen(() => import('../features/site/site-levels.tsx'), 'SiteDefaults'),
  productDefaults: lazyScreen(() => import('../features/site/site-levels.tsx'), 'ProductDefaults'),
  clientDefaults: lazyScreen(() => import('../features/site/site-levels.tsx'), 'ClientDefaults'),
  siteBatches: lazyScreen(() => import('../features/site/site-batch-list.tsx'), 'SiteBatchList'),
  siteBatchDetail: lazyScreen(() => import('../features/site/site-batch-detail.tsx'), 'SiteBatchDetail'),
  tags: lazyScreen(() => import('../features/tag/tag-list.tsx'), 'TagList'),
  addressLists: lazyScreen(() => import('../features/address-list/address-list-list.tsx'), 'AddressListList'),
  certificates: lazyScreen(() => import('../features/certificate/certificate-list.tsx'), 'CertificateList'),
  clients: lazyScreen(() => import('../features/client/client-list.tsx'), 'ClientList'),
  clientDetail: lazyScreen(() => import('../features/client/client-detail.tsx'), 'ClientDetail'),
  tasks: lazyScreen(() => import('../features/task/task-list.tsx'), 'TaskList'),
  ipData: lazyScreen(() => import('../features/ip-data/ip-data.tsx'), 'IpData'),
  operationLogs: lazyScreen(
    () => import('../features/operation-log/operation-log-list.tsx'),
    'OperationLogList',
  ),
  settings: lazyScreen(() => import('../features/setting/settings.tsx'), 'Settings'),
} satisfies Record<ScreenId, unknown>;
