import { accountRoutes } from './account.ts';
import { activityRoutes } from './activity.ts';
import { apiTokenRoutes } from './api-token.ts';
import { addressListRoutes } from './address-list.ts';
import { ipDataRoutes } from './ip-data.ts';
import { knownVulnerabilityRoutes } from './known-vulnerability.ts';
import { adminGroupRoutes, adminUserRoutes } from './admin-user.ts';
import { areaRoutes } from './area.ts';
import { authRoutes } from './auth.ts';
import { certificateRoutes } from './certificate.ts';
import { clientRoutes } from './client.ts';
import { memberRoutes } from './member.ts';
import { consoleSettingRoutes } from './console-setting.ts';
import { dashboardRoutes } from './dashboard.ts';
import { dataExportRoutes } from './data-export.ts';
import { acmeAccountRoutes } from './acme-account.ts';
import { certificateOrderRoutes } from './certificate-order.ts';
import { certificateUploadRoutes } from './certificate-upload.ts';
import { captchaAccountRoutes } from './captcha-account.ts';
import { dnsAccountRoutes } from './dns-account.ts';
import { explainRoutes } from './explain.ts';
import { ruleReplayRoutes } from './rule-replay.ts';
import { accountLimitRoutes } from './limits.ts';
import { logStoreRoutes } from './log-store.ts';
import { logPrivacyRoutes } from './log-privacy.ts';
import { lineGroupRoutes } from './line-group.ts';
import { menuRoutes } from './menu.ts';
import { nodeApiRoutes } from './node-api.ts';
import { nodeResourceRoutes } from './node-resource.ts';
import { nodeRoutes } from './node.ts';
import { operationLogRoutes } from './operation-log.ts';
import { orderRoutes } from './order.ts';
import { originHealthRoutes } from './origin-health.ts';
import { siteGuardRoutes } from './site-guard.ts';
import { passkeyRoutes } from './passkey.ts';
import { productRoutes } from './product.ts';
import { platformHttpsRoutes } from './platform-https.ts';
import { retentionRoutes } from './retention.ts';
import { searchRoutes } from './search.ts';
import { siteBatchRoutes } from './site-batch.ts';
import { siteDraftRoutes } from './site-draft.ts';
import { siteListRoutes } from './site-list.ts';
import { siteLevelRoutes } from './site-level.ts';
import { siteMatcherRuleRoutes } from './site-matcher-rule.ts';
import { siteCopyRoutes, siteImportRoutes, siteVersionRoutes } from './site-version.ts';
import { siteAddressTestRoutes } from './site-address-test.ts';
import { siteDomainRoutes } from './site-domain.ts';
import { servedCertificateRoutes } from './served-certificate.ts';
import { sitePrefetchRoutes } from './site-prefetch.ts';
import { siteRefreshRoutes } from './site-refresh.ts';
import { attackRoutes } from './attack.ts';
import { attackNoticeRoutes } from './attack-notice.ts';
import { floodRoutes } from './flood.ts';
import { falseAlarmRoutes } from './false-alarm.ts';
import { sitePostureRoutes } from './site-posture.ts';
import { siteRejectRoutes } from './site-reject.ts';
import { wafSettingRoutes } from './waf-setting.ts';
import { settingRoutes } from './setting.ts';
import { siteSettingRoutes } from './site-setting.ts';
import { siteViolationRoutes } from './site-violation.ts';
import { siteConfigRoutes, siteRoutes } from './site.ts';
import { sitePortRoutes } from './site-port.ts';
import { liveRoutes } from './live.ts';
import { logShippingRoutes } from './log-shipping.ts';
import { logSearchRoutes } from './log-search.ts';
import { statisticsRoutes } from './statistics.ts';
import { consoleFaultRoutes } from './console-fault.ts';
import { systemInfoRoutes } from './system-info.ts';
import { tagRoutes } from './tags.ts';
import { taskRoutes } from './task.ts';
import { domainNameBlacklistRoutes } from './domain-name-blacklist.ts';
import { httpFilterRoutes } from './http-filter.ts';
import { nodeWafMatcherRoutes } from './node-waf-matcher.ts';
import { wafMatcherRoutes } from './waf-matcher.ts';
import { filingRoutes } from './filing.ts';

/** Every call of the product, by name. */
export const routes = {
  ...authRoutes,
  ...accountRoutes,
  ...activityRoutes,
  ...apiTokenRoutes,
  ...passkeyRoutes,
  ...adminUserRoutes,
  ...adminGroupRoutes,
  ...areaRoutes,
  ...acmeAccountRoutes,
  ...certificateOrderRoutes,
  ...captchaAccountRoutes,
  ...dnsAccountRoutes,
  ...nodeRoutes,
  ...nodeResourceRoutes,
  ...lineGroupRoutes,
  ...clientRoutes,
  ...memberRoutes,
  ...productRoutes,
  ...orderRoutes,
  ...siteListRoutes,
  ...siteRoutes,
  ...siteConfigRoutes,
  ...sitePrefetchRoutes,
  ...siteRefreshRoutes,
  ...servedCertificateRoutes,
  ...originHealthRoutes,
  ...siteGuardRoutes,
  ...siteDomainRoutes,
  ...siteAddressTestRoutes,
  ...explainRoutes,
  ...ruleReplayRoutes,
  ...sitePortRoutes,
  ...certificateRoutes,
  ...certificateUploadRoutes,
  ...siteVersionRoutes,
  ...siteMatcherRuleRoutes,
  ...siteImportRoutes,
  ...siteCopyRoutes,
  ...siteLevelRoutes,
  ...siteBatchRoutes,
  ...siteDraftRoutes,
  ...addressListRoutes,
  ...ipDataRoutes,
  ...knownVulnerabilityRoutes,
  ...systemInfoRoutes,
  ...consoleFaultRoutes,
  ...tagRoutes,
  ...taskRoutes,
  ...operationLogRoutes,
  ...statisticsRoutes,
  ...attackRoutes,
  ...attackNoticeRoutes,
  ...floodRoutes,
  ...falseAlarmRoutes,
  ...sitePostureRoutes,
  ...siteRejectRoutes,
  ...wafSettingRoutes,
  ...siteViolationRoutes,
  ...liveRoutes,
  ...logSearchRoutes,
  ...logShippingRoutes,
  ...dashboardRoutes,
  ...dataExportRoutes,
  ...logPrivacyRoutes,
  ...retentionRoutes,
  ...accountLimitRoutes,
  ...platformHttpsRoutes,
  ...settingRoutes,
  ...logStoreRoutes,
  ...searchRoutes,
  ...consoleSettingRoutes,
  ...siteSettingRoutes,
  ...menuRoutes,
  ...nodeApiRoutes,
  ...wafMatcherRoutes,
  ...nodeWafMatcherRoutes,
  ...domainNameBlacklistRoutes,
  ...httpFilterRoutes,
  ...filingRoutes,
};
export type RouteName = keyof typeof routes;

export * from './access-log.ts';
export * from './account.ts';
export * from './activity.ts';
export * from './api-token.ts';
export * from './address-entry.ts';
export * from './address-lines.ts';
export * from './address-list.ts';
export * from './admin-user.ts';
export * from './area.ts';
export * from './auth.ts';
export * from './acme-account.ts';
export * from './certificate.ts';
export * from './certificate-order.ts';
export * from './certificate-upload.ts';
export * from './client.ts';
export * from './member.ts';
export * from './common.ts';
export * from './condition.ts';
export * from './condition-fields.ts';
export { asksField } from './condition-check.ts';
export * from './console-setting.text.ts';
export * from './console-fault.ts';
export * from './console-setting.ts';
export * from './crud.ts';
export * from './dashboard.ts';
export * from './data-export.ts';
export * from './define.ts';
export * from './edge-document.ts';
export * from './errors.ts';
export * from './event.text.ts';
export * from './event.ts';
export * from './issues.text.ts';
export * from './captcha-account.ts';
export * from './captcha-vendors.ts';
export * from './dns-account.ts';
export * from './dns-hosts.ts';
export * from './dns-record.ts';
export * from './dns-vendors.ts';
export * from './explain.ts';
export * from './rule-replay.ts';
export * from './file.ts';
export * from './request-steps.ts';
export * from './line-group.ts';
export * from './shield.ts';
export * from './log-privacy.ts';
export * from './limits.ts';
export * from './log-store.ts';
export * from './menu.text.ts';
export * from './menu-tree.ts';
export * from './menu.ts';
export * from './menus.ts';
export * from './node-api.ts';
export * from './node-command.ts';
export * from './node-resource.ts';
export * from './node.ts';
export * from './operation-log.ts';
export * from './order.ts';
export * from './origin-health.ts';
export * from './rule-act.ts';
export * from './site-guard.ts';
export * from './passkey.ts';
export * from './permissions.ts';
export * from './permissions.text.ts';
export * from './product.ts';
export * from './provider.ts';
export * from './provider-account.ts';
export * from './platform-https.ts';
export * from './retention.ts';
export * from './screens.ts';
export * from './search.ts';
export * from './sign-in-name.ts';
export * from './secret.ts';
export * from './site-config.ts';
export * from './site-config/backend-health-check.ts';
export * from './site-config/advanced-config.ts';
export * from './site-config/cache-rule.ts';
export * from './site-config/certificate-settings.ts';
export * from './site-config/content-rewrite.ts';
export * from './site-config/listen-port.ts';
export * from './site-config/cc-guardian-rule.ts';
export * from './site-config/browser-verify.ts';
export * from './site-config/matcher-rule.ts';
export * from './site-config/protection-sections.ts';
export * from './site-config/protection.ts';
export * from './site-config/origin-server-config.ts';
export * from './site-batch.ts';
export * from './site-draft.ts';
export * from './site-inheritance.ts';
export * from './site-level.ts';
export * from './site-list.ts';
export * from './site-selection.ts';
export * from './site-tag.ts';
export * from './site-config/speed-optimize.ts';
export * from './site-version.ts';
export * from './site-matcher-rule.ts';
export * from './site-domain.ts';
export * from './site-address-test.ts';
export * from './served-certificate.ts';
export * from './site-prefetch.ts';
export * from './site-refresh.ts';
export * from './rule-ref.ts';
export * from './ban-network.ts';
export * from './attack.ts';
export * from './attack-notice.ts';
export * from './flood.ts';
export * from './packet-kinds.ts';
export * from './false-alarm.ts';
export * from './site-posture.ts';
export * from './site-reject.ts';
export * from './waf-setting.ts';
export * from './setting.ts';
export * from './site-setting.ts';
export * from './domain-name-blacklist.ts';
export * from './http-filter.ts';
export * from './site-violation.ts';
export * from './site-status.ts';
export * from './site-port.ts';
export * from './ip-place.ts';
export * from './intervals.ts';
export * from './ip-data.ts';
export * from './known-vulnerability.ts';
export * from './search-robots.ts';
export * from './site-config/access-control.ts';
export * from './site-config/level-access.ts';
export * from './site-config/basic-auth.ts';
export * from './site-config/cors.ts';
export * from './site-config/block-referer.ts';
export * from './site-config/real-ip.ts';
export * from './site-config/visitor-fields.ts';
export * from './site-config/url-signing.ts';
export * from './site-config/site-security.ts';
export * from './site-config/used-system-rule.ts';
export * from './site.ts';
export * from './access-log-record.ts';
export * from './statistics.ts';
export * from './storage-reasons.ts';
export * from './live.ts';
export * from './log-search.ts';
export * from './log-shipping.ts';
export * from './system-info.ts';
export * from './tags.ts';
export * from './task.ts';
export * from './node-waf-matcher.ts';
export * from './waf-matcher.ts';
export * from './waf-templates.ts';
export * from './waf-templates.text.ts';
export * from './filing.ts';
export * from './filing-provider.ts';
