import * as z from 'zod';
import { port, inputText } from './common.ts';

/**
 * Origin shield (L2): some nodes of a line group stand between the others and the origins. `cache`: they are asked for what may be
 * kept for all; `global`: for everything but gRPC.
 */
export const shieldModes = ['cache', 'global'] as const;
export type ShieldMode = (typeof shieldModes)[number];

/** `L1` serves visitors; `L2` is a shield of the line group. */
export const nodeLevels = ['L1', 'L2'] as const;
export type NodeLevel = (typeof nodeLevels)[number];

const shieldNode = z.object({ node_id: z.int(), ip: z.string(), port });

/** What a node is to know of one of its line groups that has shields. Of either side's release: fields it does not know are dropped. */
export const shieldGroup = z.object({
  line_group_id: z.int(),
  mode: z.enum(shieldModes),
  /** Whether this node is one of them. */
  is_shield: z.boolean(),
  /** Whom to ask; none for a shield. */
  shields: z.array(shieldNode),
  /** Who may ask this node, by number; none for others. */
  members: z.array(z.int()),
});
export type ShieldGroup = z.infer<typeof shieldGroup>;

/** What a node is told with every report, where it says that it knows of shields. */
export const shieldOrder = z.object({
  /** Of the platform's own authority, in PEM; absent where the node is in no line group that has shields. */
  authority: z.string().optional(),
  groups: z.array(shieldGroup),
});
export type ShieldOrder = z.infer<typeof shieldOrder>;

/** What a node says of its own part in it. */
export const shieldState = z.object({
  /** Where it listens for other nodes, or would. */
  port,
  is_listening: z.boolean(),
});

/** PKCS #10 in PEM. Its subject and extensions are passed over: the control plane knows which node asks. */
export const certificateRequest = inputText().max(4000);
