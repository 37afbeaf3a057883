import * as z from 'zod';
import { count, idParams } from './common.ts';
import { defineRoutes } from './define.ts';
import { verifyKinds } from './site-config/browser-verify.ts';
import { guardModes } from './site-config/cc-guardian-rule.ts';
import { systemRuleGroups, systemRuleModes } from './site-config/used-system-rule.ts';

/** How far a protection is on: it acts, it only logs, it acts in part, or not at all. */
export const postureStates = ['on', 'observe', 'partial', 'off'] as const;
export type PostureState = (typeof postureStates)[number];
const state = z.enum(postureStates);

/** What could be better, each where it is changed; in the order of what it matters. */
export const postureAdvice = [
  'https_certificate',
  'https_redirect',
  'system_rules_off',
  'system_rules_observe',
  'system_rules_body',
  'matchers_observe',
  'cc_guard_off',
  'cc_guard_watch',
  'rate_limit',
] as const;
export type PostureAdvice = (typeof postureAdvice)[number];

/** What protects a site, with what it inherits, as its nodes are told. */
export const sitePosture = z.strictObject({
  https: z.strictObject({ state, redirect: z.boolean(), hsts: z.boolean() }),
  /** Rules of the site and of the levels above it. */
  access_control: z.strictObject({ state, rules: count }),
  block_referer: z.strictObject({ state }),
  /** How many limits there are. */
  security: z.strictObject({ state, limits: count }),
  /** Rules that are switched on and not over. */
  matcher_rule: z.strictObject({ state, enforcing: count, observing: count }),
  /** Under attack where emergency protection is on now. Rules of its own act in each mode but off. */
  cc_guardian_rule: z.strictObject({ state, mode: z.enum(guardModes), rules: count }),
  browser_verify_rule: z.strictObject({ state, kind: z.enum(verifyKinds) }),
  used_system_rule: z.strictObject({
    state,
    groups: z.array(z.strictObject({ group: z.enum(systemRuleGroups), mode: z.enum(systemRuleModes) })),
    exceptions: count,
  }),
  /** Bans of this site and of its customer that stand. */
  bans: count,
  advice: z.array(z.enum(postureAdvice)),
});
export type SitePosture = z.infer<typeof sitePosture>;

export const sitePostureRoutes = defineRoutes({
  getSitePosture: {
    method: 'GET',
    path: '/prod-api/site/{id}/posture',
    summary:
      'Get which protections of a site are on, which only log, and what could be better; with what is inherited, as nodes are told.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    /** Null: nodes are not told of the site yet. */
    response: z.strictObject({ posture: sitePosture.nullable() }),
  },
});
