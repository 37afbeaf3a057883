/**
 * Every screen of the console, declared once: router, guards, menus, search, breadcrumbs and typed links read it.
 * A screen that is not built has no entry. `{id}` in a path is a number.
 */
export const screens = {
  home: { path: '/dashboard', titleKey: 'screen.home', roles: ['admin', 'user'] },
  monitor: { path: '/dashboard/statistics/monitor', titleKey: 'screen.monitor', roles: ['admin', 'user'] },
  monitorDetail: {
    path: '/dashboard/statistics/monitordetail/{id}',
    titleKey: 'screen.monitorDetail',
    roles: ['admin', 'user'],
  },
  analysis: { path: '/dashboard/statistics/analysis', titleKey: 'screen.analysis', roles: ['admin', 'user'] },
  accessStats: {
    path: '/dashboard/statistics/http_access_stats',
    titleKey: 'screen.accessStats',
    roles: ['admin', 'user'],
  },
  attackStats: {
    path: '/dashboard/statistics/http_attack_stats',
    titleKey: 'screen.attackStats',
    roles: ['admin', 'user'],
  },
  accessLogs: {
    path: '/dashboard/statistics/http_access',
    titleKey: 'screen.accessLogs',
    roles: ['admin', 'user'],
  },
  refusedLogs: {
    path: '/dashboard/statistics/http_waf',
    titleKey: 'screen.refusedLogs',
    roles: ['admin', 'user'],
  },
  siteRejects: {
    path: '/dashboard/statistics/site_reject',
    titleKey: 'screen.siteRejects',
    roles: ['admin', 'user'],
  },
  violations: {
    path: '/dashboard/statistics/http_filter',
    titleKey: 'screen.violations',
    roles: ['admin', 'user'],
  },
  violationStats: {
    path: '/dashboard/statistics/http_filter_status',
    titleKey: 'screen.violationStats',
    roles: ['admin', 'user'],
  },
  dataExports: {
    path: '/dashboard/statistics/data_export',
    titleKey: 'screen.dataExports',
    roles: ['admin'],
  },
  areas: { path: '/dashboard/node/area', titleKey: 'screen.areas', roles: ['admin'] },
  nodes: { path: '/dashboard/node/node', titleKey: 'screen.nodes', roles: ['admin'] },
  nodeResources: {
    path: '/dashboard/node/resource_stats',
    titleKey: 'screen.nodeResources',
    roles: ['admin'],
  },
  nodeDetail: { path: '/dashboard/node/nodedetail/{id}', titleKey: 'screen.nodeDetail', roles: ['admin'] },
  logStore: { path: '/dashboard/node/elastic', titleKey: 'screen.logStore', roles: ['admin'] },
  lineGroups: { path: '/dashboard/line_group/line_group', titleKey: 'screen.lineGroups', roles: ['admin'] },
  lineGroupDetail: {
    path: '/dashboard/line_group/line_group_detail/{id}',
    titleKey: 'screen.lineGroupDetail',
    roles: ['admin'],
  },
  products: { path: '/dashboard/product/product', titleKey: 'screen.products', roles: ['admin'] },
  orders: { path: '/dashboard/finance/order', titleKey: 'screen.orders', roles: ['admin', 'user'] },
  orderDetail: {
    path: '/dashboard/order/orderdetail/{id}',
    titleKey: 'screen.orderDetail',
    roles: ['admin', 'user'],
  },
  sites: { path: '/dashboard/site/list', titleKey: 'screen.sites', roles: ['admin', 'user'] },
  siteDomains: { path: '/dashboard/site/domain_name', titleKey: 'screen.siteDomains', roles: ['admin'] },
  siteCreate: { path: '/dashboard/site/create', titleKey: 'screen.siteCreate', roles: ['admin', 'user'] },
  siteDetail: {
    path: '/dashboard/site/sitedetail/{id}',
    titleKey: 'screen.siteDetail',
    roles: ['admin', 'user'],
  },
  siteDefaults: { path: '/dashboard/site/defaults', titleKey: 'screen.siteDefaults', roles: ['admin'] },
  productDefaults: {
    path: '/dashboard/product/defaults/{id}',
    titleKey: 'screen.productDefaults',
    roles: ['admin'],
  },
  clientDefaults: {
    path: '/dashboard/client/defaults/{id}',
    titleKey: 'screen.clientDefaults',
    roles: ['admin'],
  },
  siteBatches: { path: '/dashboard/site/batch', titleKey: 'screen.siteBatches', roles: ['admin', 'user'] },
  siteBatchDetail: {
    path: '/dashboard/site/batchs/{id}',
    titleKey: 'screen.siteBatchDetail',
    roles: ['admin', 'user'],
  },
  tags: { path: '/dashboard/site/tags', titleKey: 'screen.tags', roles: ['admin', 'user'] },
  addressLists: {
    path: '/dashboard/site/address_list',
    titleKey: 'screen.addressLists',
    roles: ['admin', 'user'],
  },
  certificates: {
    path: '/dashboard/site/certificate',
    titleKey: 'screen.certificates',
    roles: ['admin', 'user'],
  },
  clients: { path: '/dashboard/client/client', titleKey: 'screen.clients', roles: ['admin'] },
  clientDetail: {
    path: '/dashboard/client/clientdetail/{id}',
    titleKey: 'screen.clientDetail',
    roles: ['admin'],
  },
  tasks: { path: '/dashboard/task/task', titleKey: 'screen.tasks', roles: ['admin'] },
  ipData: { path: '/dashboard/system/ip_data', titleKey: 'screen.ipData', roles: ['admin'] },
  operationLogs: {
    path: '/dashboard/system/sys_http_log',
    titleKey: 'screen.operationLogs',
    roles: ['admin'],
  },
  settings: { path: '/dashboard/system/setting', titleKey: 'screen.settings', roles: ['admin'] },
} as const satisfies Record<string, Screen>;

export type Role = 'admin' | 'user';
export interface Screen {
  path: `/dashboard${string}`;
  titleKey: `screen.${string}`;
  roles: readonly Role[];
}
export type ScreenId = keyof typeof screens;
