import * as z from 'zod';
import { addressEntry } from '../address-entry.ts';
import { inputText, time } from '../common.ts';
import { condition } from '../condition.ts';
import { accessPath } from './access-control.ts';
import { verifyKinds } from './browser-verify.ts';
import { ruleBanScopes } from './matcher-rule.ts';

/** CC guard: visitors who ask too much are counted and answered, and a site under attack asks more of all; see docs/cc-guard.md. */

/** Each but `off` stands for limits and answers, which `packages/policy/src/protect/guard-modes.ts` has. */
export const guardModes = ['off', 'watch', 'normal', 'strict', 'under_attack'] as const;
export type GuardMode = (typeof guardModes)[number];

/** What a rule counts: requests as they come, those whose answer came from an origin, or answers of some kind. */
export const guardCounts = ['requests', 'origin', 'answers'] as const;
export type GuardCount = (typeof guardCounts)[number];

/**
 * What makes requests one visitor's: an address (of IPv6 its /64), its network (/24, /48), a value that is sent, or the fingerprint of the
 * TLS client, which many visitors share.
 */
export const guardKeyParts = ['address', 'network', 'header', 'cookie', 'argument', 'ja4'] as const;
export type GuardKeyPart = (typeof guardKeyParts)[number];
export const isNamedKeyPart = (part: GuardKeyPart): boolean =>
  part === 'header' || part === 'cookie' || part === 'argument';

/** `url`: each URL (without its query) is counted, and answered for, by itself. */
export const guardScopes = ['site', 'url'] as const;

/** What who is over the threshold gets. `observe`: nothing but a note in the log. */
export const guardActions = ['observe', 'challenge', 'limit', 'block', 'ban'] as const;
export type GuardAction = (typeof guardActions)[number];

const keyPart = z
  .strictObject({
    part: z.enum(guardKeyParts),
    /** Of a header, a cookie or an argument. */
    name: inputText()
      .trim()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, { error: 'guard_key_name' })
      .max(100)
      .default(''),
  })
  .check(({ value: { part, name }, issues }) => {
    if (isNamedKeyPart(part) && name === '')
      issues.push({ code: 'custom', path: ['name'], message: 'required', input: name });
  });

/** `404`, or a class: `5xx`. */
export const guardStatus = inputText()
  .trim()
  .toLowerCase()
  .regex(/^[1-5](xx|\d\d)$/, { error: 'guard_status' });

/** Which answers count: those of which all holds that is said. */
const answers = z.strictObject({
  statuses: z.array(guardStatus).max(20).default([]),
  misses: z.boolean().default(false),
  slower_than_ms: z.int().min(1).max(600_000).optional(),
});

export const guardRule = z
  .strictObject({
    /** What it is for, in the customer's words. */
    note: inputText().trim().max(200).default(''),
    /** Absent: every request. Where it cannot be decided, the request is counted. */
    condition: condition.optional(),
    count: z.enum(guardCounts).default('requests'),
    answers: answers.prefault({}),
    /** None: all together. */
    key: z
      .array(keyPart)
      .max(3)
      .default([{ part: 'address', name: '' }]),
    /** More than so many within a sliding window, at all nodes of the line group together. */
    requests: z.int().min(1).max(1_000_000).default(100),
    period_seconds: z.int().min(1).max(3600).default(10),
    scope: z.enum(guardScopes).default('site'),
    action: z.enum(guardActions).default('challenge'),
    challenge: z.enum(verifyKinds).default('javascript'),
    ban_scope: z.enum(ruleBanScopes).default('site'),
    /** For how long. */
    hold_seconds: z.int().min(1).max(86_400).default(60),
    enabled: z.boolean().default(true),
  })
  .check(({ value, issues }) => {
    const { action, hold_seconds: hold, count, answers: of } = value;
    if (action === 'ban' && hold < 10)
      issues.push({ code: 'custom', path: ['hold_seconds'], message: 'guard_ban_seconds', input: hold });
    const saysNone = of.statuses.length === 0 && !of.misses && of.slower_than_ms === undefined;
    if (count === 'answers' && saysNone)
      issues.push({ code: 'custom', path: ['answers', 'statuses'], message: 'required', input: of.statuses });
  });
export type GuardRule = z.infer<typeof guardRule>;

export const guardRulesMax = 50;

/** At a node, each second. */
const perSecond = (byDefault: number) => z.int().min(5).max(1_000_000).default(byDefault);

export const ccGuardianRule = z.strictObject({
  mode: z.enum(guardModes).default('off'),
  /** Until then as under attack, whatever the mode. */
  attack_until: time.optional(),
  /** Asked before those of the mode, in order. */
  rules: z.array(guardRule).max(guardRulesMax).default([]),
  /** Neither counted nor challenged. */
  except_paths: z.array(accessPath).max(100).default([]),
  exempt_addresses: z.array(addressEntry).max(1000).default([]),
  exempt_robots: z.boolean().default(true),
  /** All visitors of the site, or of the URL that is attacked, are challenged while it is under attack. In the modes normal and strict. */
  escalation: z.boolean().default(true),
  /** What tells an attack. */
  escalation_requests: perSecond(500),
  escalation_url_requests: perSecond(150),
  /** Of the origin's answers, in percent. */
  escalation_error_percent: z.int().min(1).max(100).default(50),
  /** Of the origin's answers on average. */
  escalation_slow_ms: z.int().min(100).max(600_000).default(10_000),
  /** How many requests its origins answer at once, on average. */
  escalation_origin_requests: z.int().min(5).max(1_000_000).default(300),
  /** So long everything has to be below half of that before it steps down. */
  quiet_seconds: z.int().min(5).max(3600).default(120),
});
export type CcGuardianRule = z.infer<typeof ccGuardianRule>;

/** Why a node stepped up, or (`quiet`, `off`) down. `urls`: too many URLs are attacked to tell them apart. */
export const guardReasons = [
  'requests',
  'passed',
  'errors',
  'slow',
  'origin_requests',
  'urls',
  'quiet',
  'off',
] as const;
export type GuardReason = (typeof guardReasons)[number];

/** 0: as set; 1: browsers run a script; 2: they work for it. */
export const guardLevelMax = 2;
