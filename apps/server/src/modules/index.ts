import type { Implementation } from '../plugins/implement.ts';
import { accountModule, apiTokenModule } from './account/account.routes.ts';
import { activityModule } from './activity/activity.routes.ts';
import { passkeyModule } from './account/passkey.routes.ts';
import { adminGroupModule, adminUserModule } from './admin-user/admin-user.routes.ts';
import { areaModule } from './area/area.routes.ts';
import { authModule } from './auth/auth.routes.ts';
import { acmeAccountModule } from './acme-account/acme-account.routes.ts';
import { certificateModule } from './certificate/certificate.routes.ts';
import { certificateOrderModule } from './certificate-order/certificate-order.routes.ts';
import { certificateUploadModule } from './certificate-upload/certificate-upload.routes.ts';
import { clientModule } from './client/client.routes.ts';
import { dashboardModule } from './dashboard/dashboard.routes.ts';
import { dataExportModule } from './data-export/data-export.routes.ts';
import { captchaAccountModule } from './captcha-account/captcha-account.routes.ts';
import { dnsAccountModule } from './dns-account/dns-account.routes.ts';
import { explainModule } from './explain/explain.routes.ts';
import { lineGroupModule } from './line-group/line-group.routes.ts';
import { memberModule } from './member/member.routes.ts';
import { menuModule } from './menu/menu.routes.ts';
import { nodeApi } from './node-api/node-api.routes.ts';
import { nodeResourceModule } from './node/node-resource.routes.ts';
import { nodeModule } from './node/node.routes.ts';
import { operationLogModule } from './operation-log/operation-log.routes.ts';
import { siteGuardModule } from './site-guard/site-guard.routes.ts';
import { originHealthModule } from './origin-health/origin-health.routes.ts';
import { orderModule } from './order/order.routes.ts';
import { productModule } from './product/product.routes.ts';
import { searchModule } from './search/search.routes.ts';
import {
  accountLimitModule,
  attackNoticeModule,
  platformHttpsModule,
  consoleSettingModule,
  logPrivacyModule,
  retentionModule,
  settingModule,
  siteSettingModule,
} from './setting/setting.routes.ts';
import { siteBatchModule, siteCopyModule } from './site-batch/site-batch.routes.ts';
import { siteDraftModule } from './site-draft/site-draft.routes.ts';
import { siteMatcherRuleModule } from './site-config/matcher-rule.routes.ts';
import { siteConfigModule, sitePortModule, siteVersionModule } from './site-config/site-config.routes.ts';
import { siteDomainModule } from './site-domain/site-domain.routes.ts';
import { siteAddressTestModule, siteImportModule, siteListModule, siteModule } from './site/site.routes.ts';
import { siteLevelModule } from './site-level/site-level.routes.ts';
import { servedCertificateModule } from './served-certificate/served-certificate.routes.ts';
import { sitePrefetchModule } from './site-prefetch/site-prefetch.routes.ts';
import { siteRefreshModule } from './site-refresh/site-refresh.routes.ts';
import { siteRejectModule, wafSettingModule } from './site-reject/site-reject.routes.ts';
import { attackModule } from './statistics/attack.routes.ts';
import { floodModule } from './flood/flood.routes.ts';
import { falseAlarmModule } from './false-alarm/false-alarm.routes.ts';
import { sitePostureModule } from './site-posture/site-posture.routes.ts';
import { httpFilterModule, siteViolationModule } from './site-violation/site-violation.routes.ts';
import { liveModule } from './statistics/live.routes.ts';
import { logShippingModule } from './log-shipping/log-shipping.routes.ts';
import { logSearchModule } from './statistics/log-search.routes.ts';
import { statisticsModule } from './statistics/statistics.routes.ts';
import { logStoreModule } from './log-store/log-store.routes.ts';
import { ruleReplayModule } from './rule-replay/rule-replay.routes.ts';
import { ipDataModule } from './ip-data/ip-data.routes.ts';
import { knownVulnerabilityModule } from './known-vulnerability/known-vulnerability.routes.ts';
import { addressListModule } from './address-list/address-list.routes.ts';
import { consoleFaultModule } from './console-fault/console-fault.routes.ts';
import { systemInfoModule } from './system-info/system-info.routes.ts';
import { tagModule } from './tag/tag.routes.ts';
import { taskModule } from './task/task.routes.ts';
import { nodeWafMatcherModule } from './node-waf-matcher/node-waf-matcher.routes.ts';
import { domainNameBlacklistModule } from './domain-name-blacklist/domain-name-blacklist.routes.ts';
import { wafMatcherModule } from './waf-matcher/waf-matcher.routes.ts';
import { filingModule } from './filing/filing.routes.ts';

export const modules: Implementation[] = [
  authModule,
  accountModule,
  activityModule,
  apiTokenModule,
  passkeyModule,
  adminUserModule,
  adminGroupModule,
  areaModule,
  acmeAccountModule,
  certificateOrderModule,
  certificateUploadModule,
  captchaAccountModule,
  dnsAccountModule,
  nodeResourceModule,
  nodeModule,
  lineGroupModule,
  clientModule,
  memberModule,
  productModule,
  orderModule,
  siteListModule,
  siteVersionModule,
  siteImportModule,
  siteCopyModule,
  siteLevelModule,
  siteBatchModule,
  siteDraftModule,
  siteModule,
  siteConfigModule,
  siteMatcherRuleModule,
  originHealthModule,
  siteGuardModule,
  siteDomainModule,
  siteAddressTestModule,
  explainModule,
  ruleReplayModule,
  sitePortModule,
  certificateModule,
  addressListModule,
  ipDataModule,
  knownVulnerabilityModule,
  logStoreModule,
  systemInfoModule,
  consoleFaultModule,
  tagModule,
  taskModule,
  operationLogModule,
  attackModule,
  sitePostureModule,
  attackNoticeModule,
  floodModule,
  falseAlarmModule,
  statisticsModule,
  sitePrefetchModule,
  siteRefreshModule,
  servedCertificateModule,
  siteRejectModule,
  wafSettingModule,
  siteViolationModule,
  httpFilterModule,
  liveModule,
  logSearchModule,
  logShippingModule,
  dashboardModule,
  dataExportModule,
  searchModule,
  settingModule,
  consoleSettingModule,
  siteSettingModule,
  logPrivacyModule,
  retentionModule,
  accountLimitModule,
  platformHttpsModule,
  menuModule,
  nodeApi,
  wafMatcherModule,
  nodeWafMatcherModule,
  domainNameBlacklistModule,
  filingModule,
];
