import { backendHealthCheck } from './site-config/backend-health-check.ts';
import { accessControl } from './site-config/access-control.ts';
import { advancedConfig } from './site-config/advanced-config.ts';
import { blockReferer } from './site-config/block-referer.ts';
import { cacheRuleSection } from './site-config/cache-rule.ts';
import { certificateSettings } from './site-config/certificate-settings.ts';
import { contentRewrite } from './site-config/content-rewrite.ts';
import { listenPort } from './site-config/listen-port.ts';
import { ccGuardianRule } from './site-config/cc-guardian-rule.ts';
import { browserVerifyRule } from './site-config/browser-verify.ts';
import { matcherRuleSection } from './site-config/matcher-rule.ts';
import { originServerConfig } from './site-config/origin-server-config.ts';
import { speedOptimize } from './site-config/speed-optimize.ts';
import { realIp } from './site-config/real-ip.ts';
import { siteSecurity } from './site-config/site-security.ts';
import { usedSystemRule } from './site-config/used-system-rule.ts';

/**
 * Every section of a site's configuration by the name it has in paths and revisions, one file each in `site-config/`.
 * Each field has a default, except the origins: what was stored before a field came is completed when it is read.
 */
export const siteSections = {
  origin_server_config: originServerConfig,
  backend_health_check: backendHealthCheck.prefault({}),
  cache_rule: cacheRuleSection.prefault({ rules: [] }),
  speed_optimize: speedOptimize.prefault({}),
  certificate_settings: certificateSettings.prefault({}),
  advanced_config: advancedConfig.prefault({}),
  listen_port: listenPort.prefault({}),
  security: siteSecurity.prefault({}),
  real_ip: realIp.prefault({}),
  access_control: accessControl.prefault({}),
  block_referer: blockReferer.prefault({}),
  content_rewrite: contentRewrite.prefault({}),
  matcher_rule: matcherRuleSection.prefault({}),
  cc_guardian_rule: ccGuardianRule.prefault({}),
  browser_verify_rule: browserVerifyRule.prefault({}),
  used_system_rule: usedSystemRule.prefault({}),
} as const;
export type SiteSection = keyof typeof siteSections;
export const siteSectionNames = Object.keys(siteSections) as SiteSection[];

/** The names of a section's fields. */
export function sectionFields(section: SiteSection): string[] {
  const schema = siteSections[section];
  return Object.keys('unwrap' in schema ? schema.unwrap().shape : schema.shape);
}
