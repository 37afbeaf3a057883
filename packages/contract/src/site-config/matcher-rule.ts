import * as z from 'zod';
import { banSeconds, rejectScopes } from '../ban-network.ts';
import { id, inputText, time } from '../common.ts';
import { asksField } from '../condition-check.ts';
import { isOfAnswer } from '../condition-fields.ts';
import { contentCondition } from '../condition.ts';
import { redirectUrl } from './block-referer.ts';
import { verifyKinds } from './browser-verify.ts';
import { blockAnswer, tagName } from './protection.ts';

/** Rules of a site's own on its requests: what fits a condition gets an action. */

/** `block`, `ban` and `redirect` end a request, and `limit` what comes too fast; `allow` ends its way through rules; else it goes on. */
export const matcherActions = [
  'block',
  'ban',
  'challenge',
  'allow',
  'redirect',
  'limit',
  'delay',
  'tag',
  'list',
  'notify',
] as const;
/** What a rule can do whose condition asks for the answer: the request has been done by then. */
export const answerActions: readonly (typeof matcherActions)[number][] = [
  'block',
  'ban',
  'tag',
  'list',
  'notify',
];
export type MatcherAction = (typeof matcherActions)[number];

/** Where a rule of a site bans: at that site, or at all of its customer's. Rules of levels can ban from all there are. */
export const ruleBanScopes = ['site', 'client'] as const;

/** Who turns away: nginx, with a page, or the kernel, which drops the packets of the address to all sites of a node. */
export const banPlaces = ['edge', 'kernel'] as const;

/** `stage`: past the other matcher rules; `all`: past all of protection that follows. */
export const allowScopes = ['stage', 'all'] as const;

export const matcherRedirectStatuses = [302, 301, 303, 307, 308] as const;
/** Who is counted as one by a limit: each visitor (of IPv6 a /64) by itself, or all that the rule is for together. */
export const limitKeys = ['address', 'all'] as const;

/** So many in a time at an even pace, and `burst` more at once, on each node. */
const matcherLimit = z.strictObject({
  requests: z.int().min(1).max(1_000_000).default(60),
  period_seconds: z.int().min(1).max(3600).default(60),
  burst: z.int().min(0).max(1_000_000).default(20),
  key: z.enum(limitKeys).default('address'),
});

/** What belongs to an action stands under its name, and says nothing where the action is another. */
export const matcherRule = z
  .strictObject({
    /** What it is for, in the customer's words. */
    note: inputText().trim().max(200).default(''),
    /** Absent: every request. Where it cannot be decided, a rule that refuses fits and any other does not. */
    condition: contentCondition.optional(),
    action: z.enum(matcherActions),
    allow: z.strictObject({ scope: z.enum(allowScopes).default('all') }).prefault({}),
    block: blockAnswer.prefault({}),
    /** The visitor is turned away from then on, whatever they ask. */
    ban: z
      .strictObject({
        seconds: banSeconds.default(3600),
        scope: z.enum(rejectScopes).default('site'),
        place: z.enum(banPlaces).default('edge'),
      })
      .prefault({}),
    /** Who has no pass of this kind or of a stronger one gets the page of browser verification. */
    challenge: z.strictObject({ kind: z.enum(verifyKinds).default('javascript') }).prefault({}),
    redirect: z
      .strictObject({ url: redirectUrl.default(''), status: z.literal(matcherRedirectStatuses).default(302) })
      .prefault({}),
    limit: matcherLimit.prefault({}),
    /** The request waits before it goes on. */
    delay: z.strictObject({ milliseconds: z.int().min(10).max(10_000).default(1000) }).prefault({}),
    tag: z.strictObject({ name: tagName.or(z.literal('')).default('') }).prefault({}),
    /** The visitor's address (of IPv6 its /64) is put on an address list that rules fill, for so long. */
    list: z
      .strictObject({ list_id: id.optional(), seconds: z.int().min(60).max(31_536_000).default(86_400) })
      .prefault({}),
    /** An event of the site tells of it, and none more until so long after. */
    notify: z.strictObject({ minutes: z.int().min(5).max(10_080).default(60) }).prefault({}),
    /** `observe`: what it would be asked of is only logged. */
    mode: z.enum(['enforce', 'observe']).default('enforce'),
    /** Of the visitors, in percent: the same ones each time. */
    share: z.int().min(1).max(100).default(100),
    /** Of the nodes, in percent: the same ones each time; at the others it fits nothing. */
    nodes: z.int().min(1).max(100).default(100),
    /** From then on it does nothing. */
    until: time.optional(),
    enabled: z.boolean().default(true),
  })
  .check((context) => {
    const { action, ban, tag, redirect, list, condition } = context.value;
    if (action === 'ban' && ban.place === 'kernel' && ban.scope !== 'platform')
      context.issues.push({ code: 'custom', path: ['ban', 'place'], message: 'ban_kernel', input: ban });
    if (condition !== undefined && asksField(condition, isOfAnswer) && !answerActions.includes(action))
      context.issues.push({
        code: 'custom',
        path: ['action'],
        message: 'matcher_answer_action',
        input: action,
      });
    if (action === 'list' && list.list_id === undefined)
      context.issues.push({ code: 'custom', path: ['list', 'list_id'], message: 'required', input: list });
    if (action === 'redirect' && redirect.url === '')
      context.issues.push({ code: 'custom', path: ['redirect', 'url'], message: 'required', input: '' });
    if (action === 'tag' && tag.name === '')
      context.issues.push({ code: 'custom', path: ['tag', 'name'], message: 'required', input: tag.name });
  });
export type MatcherRule = z.infer<typeof matcherRule>;

export const bansFromAll = ({ action, ban }: MatcherRule): boolean =>
  action === 'ban' && ban.scope === 'platform';

/** One that customers may have: it bans nobody from the sites of others. */
export const siteMatcherRule = matcherRule.refine((rule) => !bansFromAll(rule), {
  error: 'ban_platform',
  path: ['ban', 'scope'],
});

export const matcherRulesMax = 200;

/** In order; of a level above sites the rules that allow go first. */
export const matcherRuleSection = z.strictObject({
  rules: z.array(matcherRule).max(matcherRulesMax).default([]),
});
export type MatcherRuleSection = z.infer<typeof matcherRuleSection>;
