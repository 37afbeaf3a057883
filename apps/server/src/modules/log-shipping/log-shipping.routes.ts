import { logShippingRoutes, logShippingSettings } from '@breakwater/contract';
import { ApiError } from '../../api-error.ts';
import { askNode, presenceOf } from '../../delivery/commands.ts';
import { implement } from '../../plugins/implement.ts';
import { getNode } from '../node/node.store.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { sendingNodes } from './log-shipping.store.ts';

export const logShippingModule = implement(logShippingRoutes, {
  getLogShipping: reads(logShippingSettings),
  updateLogShipping: writes(logShippingSettings),
  getLogShippingNodes: async ({ services }) => ({ nodes: await sendingNodes(services.db, services.secrets) }),
  testLogShipping: async ({ services, params }) => {
    const { id } = await getNode(services.db, params.id);
    if ((await presenceOf(services.db, id)) === 'never') throw new ApiError('node_never_connected');
    const answer = await askNode(services.db, id, 'test_log_shipping', {}, testMilliseconds);
    if (!answer) throw new ApiError('node_silent');
    return answer;
  },
});

/** A receiver that is silent is waited for by the node as well. */
const testMilliseconds = 25_000;
