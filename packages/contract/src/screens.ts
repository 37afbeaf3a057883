import type { Access } from './permissions.ts';

/**
 * Every screen of the console, declared once: router, guards, menus, search, breadcrumbs and typed links read it.
 * A screen that is not built has no entry. `{id}` in a path is a number.
 */
export const screens = {
  home: { path: '/dashboard', titleKey: 'screen.home', access: { kind: 'signed_in' } },
  monitor: {
    path: '/dashboard/statistics/monitor',
    titleKey: 'screen.monitor',
    access: { kind: 'both', permission: 'statistics.read' },
  },
  monitorDetail: {
    path: '/dashboard/statistics/monitordetail/{id}',
    titleKey: 'screen.monitorDetail',
    access: { kind: 'both', permission: 'statistics.read' },
  },
  analysis: {
    path: '/dashboard/statistics/analysis',
    titleKey: 'screen.analysis',
    access: { kind: 'both', permission: 'statistics.read' },
  },
  accessStats: {
    path: '/dashboard/statistics/http_access_stats',
    titleKey: 'screen.accessStats',
    access: { kind: 'both', permission: 'statistics.read' },
  },
  attackStats: {
    path: '/dashboard/statistics/http_attack_stats',
    titleKey: 'screen.attackStats',
    access: { kind: 'both', permission: 'statistics.read' },
  },
  accessLogs: {
    path: '/dashboard/statistics/http_access',
    titleKey: 'screen.accessLogs',
    access: { kind: 'both', permission: 'access_log.read' },
  },
  refusedLogs: {
    path: '/dashboard/statistics/http_waf',
    titleKey: 'screen.refusedLogs',
    access: { kind: 'both', permission: 'access_log.read' },
  },
  siteRejects: {
    path: '/dashboard/statistics/site_reject',
    titleKey: 'screen.siteRejects',
    access: { kind: 'both', permission: 'site_reject.read' },
  },
  falseAlarms: {
    path: '/dashboard/statistics/false_alarm',
    titleKey: 'screen.falseAlarms',
    access: { kind: 'both', permission: 'false_alarm.read' },
  },
  wafSetting: {
    path: '/dashboard/site/waf_setting',
    titleKey: 'screen.wafSetting',
    access: { kind: 'admin', permission: 'setting.read' },
  },
  violations: {
    path: '/dashboard/statistics/http_filter',
    titleKey: 'screen.violations',
    access: { kind: 'both', permission: 'site_violation.read' },
  },
  violationStats: {
    path: '/dashboard/statistics/http_filter_status',
    titleKey: 'screen.violationStats',
    access: { kind: 'both', permission: 'site_violation.read' },
  },
  dataExports: {
    path: '/dashboard/statistics/data_export',
    titleKey: 'screen.dataExports',
    access: { kind: 'admin', permission: 'data_export.read' },
  },
  areas: {
    path: '/dashboard/node/area',
    titleKey: 'screen.areas',
    access: { kind: 'admin', permission: 'area.read' },
  },
  nodes: {
    path: '/dashboard/node/node',
    titleKey: 'screen.nodes',
    access: { kind: 'admin', permission: 'node.read' },
  },
  nodeResources: {
    path: '/dashboard/node/resource_stats',
    titleKey: 'screen.nodeResources',
    access: { kind: 'admin', permission: 'node.read' },
  },
  nodeDetail: {
    path: '/dashboard/node/nodedetail/{id}',
    titleKey: 'screen.nodeDetail',
    access: { kind: 'admin', permission: 'node.read' },
  },
  floods: {
    path: '/dashboard/node/flood',
    titleKey: 'screen.floods',
    access: { kind: 'admin', permission: 'node.read' },
  },
  floodDetail: {
    path: '/dashboard/node/flooddetail/{id}',
    titleKey: 'screen.floodDetail',
    access: { kind: 'admin', permission: 'node.read' },
  },
  logStore: {
    path: '/dashboard/node/elastic',
    titleKey: 'screen.logStore',
    access: { kind: 'admin', permission: 'log_store.read' },
  },
  lineGroups: {
    path: '/dashboard/line_group/line_group',
    titleKey: 'screen.lineGroups',
    access: { kind: 'admin', permission: 'line_group.read' },
  },
  lineGroupDetail: {
    path: '/dashboard/line_group/line_group_detail/{id}',
    titleKey: 'screen.lineGroupDetail',
    access: { kind: 'admin', permission: 'line_group.read' },
  },
  products: {
    path: '/dashboard/product/product',
    titleKey: 'screen.products',
    access: { kind: 'admin', permission: 'product.read' },
  },
  productDetail: {
    path: '/dashboard/product/productdetail/{id}',
    titleKey: 'screen.productDetail',
    access: { kind: 'admin', permission: 'product.read' },
  },
  orders: {
    path: '/dashboard/finance/order',
    titleKey: 'screen.orders',
    access: { kind: 'both', permission: 'order.read' },
  },
  orderDetail: {
    path: '/dashboard/order/orderdetail/{id}',
    titleKey: 'screen.orderDetail',
    access: { kind: 'both', permission: 'order.read' },
  },
  sites: {
    path: '/dashboard/site/list',
    titleKey: 'screen.sites',
    access: { kind: 'both', permission: 'site.read' },
  },
  siteDomains: {
    path: '/dashboard/site/domain_name',
    titleKey: 'screen.siteDomains',
    access: { kind: 'admin', permission: 'site.read' },
  },
  siteCreate: {
    path: '/dashboard/site/create',
    titleKey: 'screen.siteCreate',
    access: { kind: 'both', permission: 'site.write', sites: false },
  },
  siteDetail: {
    path: '/dashboard/site/sitedetail/{id}',
    titleKey: 'screen.siteDetail',
    access: { kind: 'both', permission: 'site.read' },
  },
  siteDefaults: {
    path: '/dashboard/site/defaults',
    titleKey: 'screen.siteDefaults',
    access: { kind: 'admin', permission: 'site_level.read' },
  },
  productDefaults: {
    path: '/dashboard/product/defaults/{id}',
    titleKey: 'screen.productDefaults',
    access: { kind: 'admin', permission: 'site_level.read' },
  },
  clientDefaults: {
    path: '/dashboard/client/defaults/{id}',
    titleKey: 'screen.clientDefaults',
    access: { kind: 'admin', permission: 'site_level.read' },
  },
  siteBatches: {
    path: '/dashboard/site/batch',
    titleKey: 'screen.siteBatches',
    access: { kind: 'both', permission: 'site.read', sites: false },
  },
  siteBatchDetail: {
    path: '/dashboard/site/batchs/{id}',
    titleKey: 'screen.siteBatchDetail',
    access: { kind: 'both', permission: 'site.read', sites: false },
  },
  siteRefreshes: {
    path: '/dashboard/site/site_refresh',
    titleKey: 'screen.siteRefreshes',
    access: { kind: 'both', permission: 'site.read' },
  },
  sitePrefetches: {
    path: '/dashboard/site/site_prefetch',
    titleKey: 'screen.sitePrefetches',
    access: { kind: 'both', permission: 'site.read' },
  },
  sitePrefetchDetail: {
    path: '/dashboard/site/site_prefetch/{id}',
    titleKey: 'screen.sitePrefetchDetail',
    access: { kind: 'both', permission: 'site.read' },
  },
  tags: {
    path: '/dashboard/site/tags',
    titleKey: 'screen.tags',
    access: { kind: 'both', permission: 'tag.read' },
  },
  addressLists: {
    path: '/dashboard/site/address_list',
    titleKey: 'screen.addressLists',
    access: { kind: 'both', permission: 'address_list.read' },
  },
  certificates: {
    path: '/dashboard/site/certificate',
    titleKey: 'screen.certificates',
    access: { kind: 'both', permission: 'certificate.read' },
  },
  certificateDetail: {
    path: '/dashboard/site/certificate_detail/{id}',
    titleKey: 'screen.certificateDetail',
    access: { kind: 'both', permission: 'certificate.read' },
  },
  certificateUpload: {
    path: '/dashboard/site/certificate_upload',
    titleKey: 'screen.certificateUpload',
    access: { kind: 'both', permission: 'certificate.write' },
  },
  certificateOrders: {
    path: '/dashboard/site/certificate_order',
    titleKey: 'screen.certificateOrders',
    access: { kind: 'both', permission: 'certificate.read' },
  },
  acmeAccounts: {
    path: '/dashboard/system/acme_account',
    titleKey: 'screen.acmeAccounts',
    access: { kind: 'admin', permission: 'acme_account.read' },
  },
  dnsAccounts: {
    path: '/dashboard/site/dns_account',
    titleKey: 'screen.dnsAccounts',
    access: { kind: 'both', permission: 'dns_account.read' },
  },
  captchaAccounts: {
    path: '/dashboard/site/captcha_account',
    titleKey: 'screen.captchaAccounts',
    access: { kind: 'both', permission: 'captcha_account.read' },
  },
  clients: {
    path: '/dashboard/client/client',
    titleKey: 'screen.clients',
    access: { kind: 'admin', permission: 'client.read' },
  },
  clientDetail: {
    path: '/dashboard/client/clientdetail/{id}',
    titleKey: 'screen.clientDetail',
    access: { kind: 'admin', permission: 'client.read' },
  },
  members: {
    path: '/dashboard/client/create',
    titleKey: 'screen.members',
    access: { kind: 'user', permission: 'member.read' },
  },
  tasks: {
    path: '/dashboard/task/task',
    titleKey: 'screen.tasks',
    access: { kind: 'admin', permission: 'task.read' },
  },
  ipData: {
    path: '/dashboard/system/ip_data',
    titleKey: 'screen.ipData',
    access: { kind: 'admin', permission: 'ip_data.read' },
  },
  operationLogs: {
    path: '/dashboard/system/sys_http_log',
    titleKey: 'screen.operationLogs',
    access: { kind: 'admin', permission: 'operation_log.read' },
  },
  settings: {
    path: '/dashboard/system/setting',
    titleKey: 'screen.settings',
    access: { kind: 'admin', permission: 'setting.read' },
  },
  ownAccount: {
    path: '/dashboard/system/user_index',
    titleKey: 'screen.ownAccount',
    access: { kind: 'signed_in' },
  },
  adminUsers: {
    path: '/dashboard/system/admin_user',
    titleKey: 'screen.adminUsers',
    access: { kind: 'admin', permission: 'admin_user.read' },
  },
  wafGlobal: {
    path: '/dashboard/site/wafglobal',
    titleKey: 'screen.wafGlobal',
    access: { kind: 'admin', permission: 'site_level.read' },
  },
  httpFilterSetting: {
    path: '/dashboard/system/http_filter_setting',
    titleKey: 'screen.httpFilterSetting',
    access: { kind: 'admin', permission: 'setting.read' },
  },
  domainNameBlacklist: {
    path: '/dashboard/system/domain_name_blacklist',
    titleKey: 'screen.domainNameBlacklist',
    access: { kind: 'admin', permission: 'domain_name_blacklist.read' },
  },
  blacklistHits: {
    path: '/dashboard/system/domain_name_blacklist/hits',
    titleKey: 'screen.blacklistHits',
    access: { kind: 'admin', permission: 'site_violation.read' },
  },
  knownVulnerabilities: {
    path: '/dashboard/site/known_vulnerability',
    titleKey: 'screen.knownVulnerabilities',
    access: { kind: 'admin', permission: 'setting.read' },
  },
  wafMatchers: {
    path: '/dashboard/site/waf_matcher',
    titleKey: 'screen.wafMatchers',
    access: { kind: 'both', permission: 'waf_matcher.read' },
  },
  filings: {
    path: '/dashboard/site/filing',
    titleKey: 'screen.filings',
    access: { kind: 'both', permission: 'filing.read' },
  },
  unfiledDomains: {
    path: '/dashboard/site/filing/unfiled',
    titleKey: 'screen.unfiledDomains',
    access: { kind: 'both', permission: 'site.read' },
  },
} as const satisfies Record<string, Screen>;

export interface Screen {
  path: `/dashboard${string}`;
  titleKey: `screen.${string}`;
  /** Who may come: it names the permission to read what the screen shows. */
  access: Access;
}
export type ScreenId = keyof typeof screens;
/** The screens of an access of this kind. */
export type ScreensFor<Kind extends Access['kind']> = {
  [Id in ScreenId]: (typeof screens)[Id]['access']['kind'] extends Kind ? Id : never;
}[ScreenId];
