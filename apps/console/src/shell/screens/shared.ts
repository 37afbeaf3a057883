import type { ScreensFor } from '@breakwater/contract';
import { lazyScreen } from '../lazy-screen.ts';

/** The component of every screen that operators and customers have, loaded when it is first visited. A screen that is missing does not compile. */
export const sharedScreens = {
  home: lazyScreen(() => import('../../features/home/home.tsx'), 'Home'),
  monitor: lazyScreen(() => import('../../features/monitor/monitor.tsx'), 'Monitor'),
  analysis: lazyScreen(() => import('../../features/monitor/analysis.tsx'), 'Analysis'),
  accessStats: lazyScreen(() => import('../../features/monitor/access-stats.tsx'), 'AccessStats'),
  monitorDetail: lazyScreen(() => import('../../features/monitor/monitor-detail.tsx'), 'MonitorDetail'),
  attackStats: lazyScreen(() => import('../../features/monitor/attack-stats.tsx'), 'AttackStats'),
  refusedLogs: lazyScreen(() => import('../../features/access-log/refused-log.tsx'), 'RefusedLog'),
  falseAlarms: lazyScreen(() => import('../../features/false-alarm/false-alarm-list.tsx'), 'FalseAlarmList'),
  siteRejects: lazyScreen(() => import('../../features/site-reject/site-reject-list.tsx'), 'SiteRejectList'),
  violations: lazyScreen(
    () => import('../../features/site-violation/site-violation-list.tsx'),
    'SiteViolationList',
  ),
  violationStats: lazyScreen(
    () => import('../../features/site-violation/site-violation-stats.tsx'),
    'SiteViolationStats',
  ),
  accessLogs: lazyScreen(() => import('../../features/access-log/access-log-list.tsx'), 'AccessLogList'),
  orders: lazyScreen(() => import('../../features/order/order-list.tsx'), 'OrderList'),
  orderDetail: lazyScreen(() => import('../../features/order/order-detail.tsx'), 'OrderDetail'),
  sites: lazyScreen(() => import('../../features/site/list/list.tsx'), 'SiteList'),
  siteCreate: lazyScreen(() => import('../../features/site/list/create.tsx'), 'SiteCreate'),
  siteDetail: lazyScreen(() => import('../../features/site/detail/detail.tsx'), 'SiteDetail'),
  siteBatches: lazyScreen(() => import('../../features/site/batch/list.tsx'), 'SiteBatchList'),
  siteBatchDetail: lazyScreen(() => import('../../features/site/batch/detail.tsx'), 'SiteBatchDetail'),
  siteRefreshes: lazyScreen(
    () => import('../../features/site-refresh/site-refresh-list.tsx'),
    'SiteRefreshList',
  ),
  sitePrefetches: lazyScreen(
    () => import('../../features/site-refresh/site-prefetch-list.tsx'),
    'SitePrefetchList',
  ),
  sitePrefetchDetail: lazyScreen(
    () => import('../../features/site-refresh/site-prefetch-detail.tsx'),
    'SitePrefetchDetail',
  ),
  tags: lazyScreen(() => import('../../features/tag/tag-list.tsx'), 'TagList'),
  addressLists: lazyScreen(
    () => import('../../features/address-list/address-list-list.tsx'),
    'AddressListList',
  ),
  dnsAccounts: lazyScreen(() => import('../../features/dns-account/dns-account-list.tsx'), 'DnsAccountList'),
  captchaAccounts: lazyScreen(
    () => import('../../features/captcha-account/captcha-account-list.tsx'),
    'CaptchaAccountList',
  ),
  certificates: lazyScreen(
    () => import('../../features/certificate/certificate-list.tsx'),
    'CertificateList',
  ),
  certificateDetail: lazyScreen(
    () => import('../../features/certificate/certificate-detail.tsx'),
    'CertificateDetail',
  ),
  certificateUpload: lazyScreen(
    () => import('../../features/certificate/upload/upload.tsx'),
    'CertificateUpload',
  ),
  certificateOrders: lazyScreen(
    () => import('../../features/certificate-order/certificate-order-list.tsx'),
    'CertificateOrderList',
  ),
  ownAccount: lazyScreen(() => import('../../features/account/own-account.tsx'), 'OwnAccount'),
  wafMatchers: lazyScreen(() => import('../../features/waf-matcher/waf-matcher-list.tsx'), 'WafMatcherList'),
  filings: lazyScreen(() => import('../../features/filing/filing-list.tsx'), 'FilingList'),
  unfiledDomains: lazyScreen(() => import('../../features/filing/unfiled-domains.tsx'), 'UnfiledDomains'),
} satisfies Record<ScreensFor<'both' | 'signed_in'>, unknown>;
