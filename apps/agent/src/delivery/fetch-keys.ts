import type { Logger } from 'pino';
import type { AgentOptions, Parts } from '../agent.ts';
import { stateOf } from '../live/report-state.ts';
import { MachineMeter } from '../live/report.ts';
import { askBeforeStart } from './before-start.ts';

/**
 * Before nginx starts, where none serves yet: a first report, for what is in nginx's configuration by an answer to it. Told later it would take
 * a reload, at which nginx closes connections.
 */
export async function fetchKeys(parts: Parts, options: AgentOptions, logger: Logger): Promise<void> {
  const { control, controlPlane, tickets, shields } = parts;
  const isServing = await control.state().then(
    () => true,
    () => false,
  );
  if (isServing) return;
  await askBeforeStart(
    'keys come later, with a reload',
    async () => {
      const answer = await controlPlane.report(
        await stateOf(parts, options, new MachineMeter(options.edgeDir)),
      );
      await tickets.layOut(answer.ticket_keys);
      await shields.layOut(answer.shield);
    },
    logger,
  );
}
