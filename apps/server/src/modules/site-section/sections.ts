import type { SiteSection } from '@breakwater/contract';
import { accessControlSection } from './access-control.section.ts';
import { advancedConfigSection } from './advanced-config.section.ts';
import { backendHealthCheckSection } from './backend-health-check.section.ts';
import { blockRefererSection } from './block-referer.section.ts';
import { browserVerifyRuleSection } from './browser-verify-rule.section.ts';
import { cacheRuleSection } from './cache-rule.section.ts';
import { ccGuardianRuleSection } from './cc-guardian-rule.section.ts';
import { certificateSettingsSection } from './certificate-settings.section.ts';
import { contentRewriteSection } from './content-rewrite.section.ts';
import { listenPortSection } from './listen-port.section.ts';
import { matcherRuleSection } from './matcher-rule.section.ts';
import { originServerConfigSection } from './origin-server-config.section.ts';
import { realIpSection } from './real-ip.section.ts';
import { securitySection } from './security.section.ts';
import type { Section } from './section.ts';
import { speedOptimizeSection } from './speed-optimize.section.ts';
import { usedSystemRuleSection } from './used-system-rule.section.ts';

/** All sections, by name and in the order in which they are checked and published. One that is missing does not compile. */
const sections: { [Name in SiteSection]: Section<Name> } = {
  origin_server_config: originServerConfigSection,
  backend_health_check: backendHealthCheckSection,
  cache_rule: cacheRuleSection,
  speed_optimize: speedOptimizeSection,
  certificate_settings: certificateSettingsSection,
  advanced_config: advancedConfigSection,
  listen_port: listenPortSection,
  security: securitySection,
  real_ip: realIpSection,
  access_control: accessControlSection,
  block_referer: blockRefererSection,
  content_rewrite: contentRewriteSection,
  matcher_rule: matcherRuleSection,
  cc_guardian_rule: ccGuardianRuleSection,
  browser_verify_rule: browserVerifyRuleSection,
  used_system_rule: usedSystemRuleSection,
};

export const everySection: readonly Section[] = Object.values(sections);
export const sectionOf = (name: SiteSection): Section => sections[name];
