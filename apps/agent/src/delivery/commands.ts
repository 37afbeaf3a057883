import {
  nodeCommands,
  type NodeCommandAnswer,
  type NodeCommandKind,
  type NodeCommandPayload,
} from '@breakwater/contract';
import type { Logger } from 'pino';
import type { ControlPlane } from './control-plane.ts';
import type { CommandEvent } from './pull.ts';

/** What this node does at a command of each kind, and answers. */
export type CommandHandlers = {
  [Kind in NodeCommandKind]: (payload: NodeCommandPayload<Kind>) => Promise<NodeCommandAnswer<Kind>>;
};

/** Does what the control plane asks and answers it. A command that fails is not answered, and times out there. */
export async function obey(
  { id, kind, payload }: CommandEvent,
  handlers: CommandHandlers,
  controlPlane: ControlPlane,
  logger: Logger,
): Promise<void> {
  try {
    await controlPlane.answer(id, await run(kind, payload, handlers));
  } catch (error) {
    logger.warn({ err: error, kind }, 'a command of the control plane failed');
  }
}

function run<Kind extends NodeCommandKind>(kind: Kind, payload: unknown, handlers: CommandHandlers) {
  return handlers[kind](nodeCommands[kind].payload.parse(payload) as NodeCommandPayload<Kind>);
}
