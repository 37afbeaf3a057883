/** The sections of protection by their names in logs (`matcher_rule 3`, `matcher_rule global 2`, `browser_verify_rule`). */
export const protectionSections = [
  'matcher_rule',
  'cc_guardian_rule',
  'browser_verify_rule',
  'used_system_rule',
] as const;
export type ProtectionSection = (typeof protectionSections)[number];
