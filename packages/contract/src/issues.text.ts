import { accountIssues } from './account.text.ts';
import { acmeAccountIssues } from './acme-account.text.ts';
import { commonIssues } from './common.text.ts';
import { addressListIssues } from './address-list.text.ts';
import { adminUserIssues } from './admin-user.text.ts';
import { certificateIssues } from './certificate.text.ts';
import { certificateOrderIssues } from './certificate-order.text.ts';
import { clientIssues } from './client.text.ts';
import { conditionIssues } from './condition.text.ts';
import { captchaAccountIssues } from './captcha-account.text.ts';
import { dnsAccountIssues } from './dns-account.text.ts';
import { domainNameBlacklistIssues } from './domain-name-blacklist.text.ts';
import { httpFilterIssues } from './http-filter.text.ts';
import { explainIssues } from './explain.text.ts';
import { fetchIssues } from './fetch.text.ts';
import { fileIssues } from './file.text.ts';
import { filingIssues } from './filing.text.ts';
import { ipDataIssues } from './ip-data.text.ts';
import { knownVulnerabilityIssues } from './known-vulnerability.text.ts';
import { nodeIssues } from './node.text.ts';
import { orderIssues } from './order.text.ts';
import { patternIssues } from './pattern.text.ts';
import { siteDomainIssues } from './site-domain.text.ts';
import { siteDraftIssues } from './site-draft.text.ts';
import { sitePrefetchIssues } from './site-prefetch.text.ts';
import { siteRefreshIssues } from './site-refresh.text.ts';
import { falseAlarmIssues } from './false-alarm.text.ts';
import { siteRejectIssues } from './site-reject.text.ts';
import { siteSettingIssues } from './site-setting.text.ts';
import { statisticsIssues } from './statistics.text.ts';
import { tagsIssues } from './tags.text.ts';
import { accessControlIssues } from './site-config/access-control.text.ts';
import { protectionIssues } from './site-config/protection.text.ts';
import { advancedConfigIssues } from './site-config/advanced-config.text.ts';
import { backendHealthCheckIssues } from './site-config/backend-health-check.text.ts';
import { basicAuthIssues } from './site-config/basic-auth.text.ts';
import { cacheRuleIssues } from './site-config/cache-rule.text.ts';
import { certificateSettingsIssues } from './site-config/certificate-settings.text.ts';
import { contentRewriteIssues } from './site-config/content-rewrite.text.ts';
import { corsIssues } from './site-config/cors.text.ts';
import { listenPortIssues } from './site-config/listen-port.text.ts';
import { originServerConfigIssues } from './site-config/origin-server-config.text.ts';
import { realIpIssues } from './site-config/real-ip.text.ts';
import { speedOptimizeIssues } from './site-config/speed-optimize.text.ts';
import { urlSigningIssues } from './site-config/url-signing.text.ts';
import { usedSystemRuleIssues } from './site-config/used-system-rule.text.ts';

/** Sentences for a field, by the key that a schema or a rule names; they stand in a file beside each entity. */
export const issues = {
  ...commonIssues,
  ...accountIssues,
  ...acmeAccountIssues,
  ...addressListIssues,
  ...adminUserIssues,
  ...certificateIssues,
  ...certificateOrderIssues,
  ...clientIssues,
  ...conditionIssues,
  ...captchaAccountIssues,
  ...dnsAccountIssues,
  ...domainNameBlacklistIssues,
  ...httpFilterIssues,
  ...explainIssues,
  ...fetchIssues,
  ...fileIssues,
  ...filingIssues,
  ...ipDataIssues,
  ...knownVulnerabilityIssues,
  ...nodeIssues,
  ...orderIssues,
  ...patternIssues,
  ...siteDomainIssues,
  ...siteDraftIssues,
  ...sitePrefetchIssues,
  ...siteRefreshIssues,
  ...falseAlarmIssues,
  ...siteRejectIssues,
  ...siteSettingIssues,
  ...statisticsIssues,
  ...tagsIssues,
  ...accessControlIssues,
  ...protectionIssues,
  ...advancedConfigIssues,
  ...backendHealthCheckIssues,
  ...basicAuthIssues,
  ...cacheRuleIssues,
  ...certificateSettingsIssues,
  ...contentRewriteIssues,
  ...corsIssues,
  ...listenPortIssues,
  ...originServerConfigIssues,
  ...realIpIssues,
  ...speedOptimizeIssues,
  ...urlSigningIssues,
  ...usedSystemRuleIssues,
} as const satisfies Record<string, { zh: string; en: string }>;
export type IssueKey = keyof typeof issues;
/** A key, or one with the line it is about, `prompt_color:3`, or with two counts: `total_differs:12:4000`. */
export type IssueMessage = IssueKey | `${IssueKey}:${number}` | `${IssueKey}:${number}:${number}`;
export type Language = 'zh' | 'en';

/** The sentence of an issue, or nothing when the text is no issue. `{line day|days}`: one of the two, by the count. */
export function issueText(message: string, language: Language): string | undefined {
  const [key = '', line = '', other = ''] = message.split(':');
  if (!(key in issues)) return undefined;
  return issues[key as IssueKey][language]
    .replace(
      /\{line ([^|}]+)\|([^}]+)\}/,
      (_, one: string, many: string) => `${line} ${line === '1' ? one : many}`,
    )
    .replace('{line}', line)
    .replace('{other}', other);
}
