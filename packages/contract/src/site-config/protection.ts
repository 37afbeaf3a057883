import * as z from 'zod';
import { inputText } from '../common.ts';

/** What the stages of protection have in common: see `docs/request-order.md` for their order. */

/** What was done with a request, as the log's `waf` says it: `matcher_rule 3=block`. */
export const protectionActions = [
  'allow',
  'observe',
  'block',
  'ban',
  'challenge',
  'redirect',
  'limit',
  'delay',
  'tag',
  'list',
  'notify',
] as const;
export type ProtectionAction = (typeof protectionActions)[number];

/** With these a refusal has a page. */
export const blockStatuses = [403, 401, 404, 410, 429, 451, 503] as const;

/** What who is blocked gets. */
export const blockAnswer = z.strictObject({
  /** `close`: no answer, the connection ends. */
  kind: z.enum(['page', 'close']).default('page'),
  status: z.literal(blockStatuses).default(403),
  /** HTML with the placeholders of error pages; empty: the site's error page for the status, or the edge's own. */
  body: inputText().max(16_384).default(''),
});
export type BlockAnswer = z.infer<typeof blockAnswer>;

/** A mark on a request, for later rules and for the log. */
export const tagName = inputText()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9_.:-]{0,39}$/, { error: 'protection_tag' });
