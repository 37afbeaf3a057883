import * as z from 'zod';
import { inputText, time } from '../common.ts';
import { condition } from '../condition.ts';
import { blockAnswer, tagName } from './protection.ts';

/** Rules of a site's own on its requests: what fits a condition gets an action. */

/** `block` ends a request; `allow` ends its way through rules; with the others it goes on. */
export const matcherActions = ['block', 'allow', 'tag'] as const;
export type MatcherAction = (typeof matcherActions)[number];

/** `stage`: past the other matcher rules; `all`: past all of protection that follows. */
export const allowScopes = ['stage', 'all'] as const;

/** What belongs to an action stands under its name, and says nothing where the action is another. */
export const matcherRule = z
  .strictObject({
    /** What it is for, in the customer's words. */
    note: inputText().trim().max(200).default(''),
    /** Absent: every request. Where it cannot be decided, a rule that refuses fits and any other does not. */
    condition: condition.optional(),
    action: z.enum(matcherActions),
    allow: z.strictObject({ scope: z.enum(allowScopes).default('all') }).prefault({}),
    block: blockAnswer.prefault({}),
    tag: z.strictObject({ name: tagName.or(z.literal('')).default('') }).prefault({}),
    /** `observe`: what it would be asked of is only logged. */
    mode: z.enum(['enforce', 'observe']).default('enforce'),
    /** Of the visitors, in percent: the same ones each time. */
    share: z.int().min(1).max(100).default(100),
    /** From then on it does nothing. */
    until: time.optional(),
    enabled: z.boolean().default(true),
  })
  .check((context) => {
    const { action, tag } = context.value;
    if (action === 'tag' && tag.name === '')
      context.issues.push({ code: 'custom', path: ['tag', 'name'], message: 'required', input: tag.name });
  });
export type MatcherRule = z.infer<typeof matcherRule>;

export const matcherRulesMax = 200;

/** In order; of a level above sites the rules that allow go first. */
export const matcherRuleSection = z.strictObject({
  rules: z.array(matcherRule).max(matcherRulesMax).default([]),
});
export type MatcherRuleSection = z.infer<typeof matcherRuleSection>;
