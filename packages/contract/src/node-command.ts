import * as z from 'zod';
import { inputText } from './common.ts';
import { describedRequest, requestTrace } from './explain.ts';

/** What the control plane asks one node to do at once: the question, and what the node answers. */
export const nodeCommands = {
  /** Whether the node's nginx would take these directives for a site; nothing changes on the node. */
  try_snippet: {
    payload: z.strictObject({ site_id: z.int(), snippet: z.string() }),
    /** What nginx has against it; absent: nothing. */
    answer: z.strictObject({ refused: inputText().max(2000).optional() }),
  },
  /** What becomes of a request to a site, by what this node has in service. */
  explain: {
    payload: z.strictObject({ site_id: z.int(), request: describedRequest }),
    answer: requestTrace,
  },
  /** Sends one line to where the node's log lines go; what stood against it, or nothing. */
  test_log_shipping: {
    payload: z.strictObject({}),
    answer: z.strictObject({ error: inputText().max(500) }),
  },
} as const;
export type NodeCommandKind = keyof typeof nodeCommands;
export type NodeCommandPayload<Kind extends NodeCommandKind> = z.infer<
  (typeof nodeCommands)[Kind]['payload']
>;
export type NodeCommandAnswer<Kind extends NodeCommandKind> = z.infer<(typeof nodeCommands)[Kind]['answer']>;

export const nodeCommandId = inputText().regex(/^[0-9a-f]{32}$/);
export const nodeCommandKind = z.enum(Object.keys(nodeCommands) as [NodeCommandKind]);
