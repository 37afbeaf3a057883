import * as z from 'zod';
import { id, inputText, integerMax, ipOrCidr } from './common.ts';
import { isNetworkOfBans } from './ban-network.ts';

/** What matcher rules do that reaches beyond their node: see docs/matchers.md. */

export const ruleActions = ['list', 'notify'] as const;

/** A rule that fitted, as a node tells it; told twice it is one. */
export const ruleAct = z.object({
  action: z.enum(ruleActions),
  site_id: id,
  /** As logs name it: `3`, `global 2`. */
  rule: inputText().max(50),
  /** Of what it is for and what it does: it stays the same where the rule moves. */
  identity: z.int().min(0).max(integerMax),
  note: inputText().max(200),
  address: ipOrCidr.refine(isNetworkOfBans, { error: 'ban_network' }),
  request_id: inputText().max(64),
  /** How long the address stays on the list, or how long nothing more is told. */
  seconds: z.int().min(1).max(31_536_000),
  list_id: id.optional(),
  /** Seconds since 1970. */
  at: z.int().min(0).max(integerMax),
});
export type RuleAct = z.infer<typeof ruleAct>;

export const ruleActsMax = 500;
