import { ruleReplayRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { ranged } from '../statistics/asked-range.service.ts';
import { whileThere } from '../statistics/while-there.service.ts';
import { replayLevel, replaySite } from './rule-replay.service.ts';

export const ruleReplayModule = implement(ruleReplayRoutes, {
  replaySiteSection: ({ services, session, scope, params, body, reply }) =>
    whileThere(reply, (gone) =>
      ranged(services, 'record_days', body, () =>
        replaySite(services, { session, scope }, params.id, body, gone),
      ),
    ),
  replayLevelSection: ({ services, scope, body: { level, target_id, ...body }, reply }) =>
    whileThere(reply, (gone) =>
      ranged(services, 'record_days', body, () =>
        replayLevel(services, scope, { level, target_id }, body, gone),
      ),
    ),
});
