import { floodRoutes, floodSettings } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { isolationOf } from './flood-isolation.ts';
import { floodCoverage, floodTraffic, getFlood, listFloods, nodeAddresses } from './flood.store.ts';

export const floodModule = implement(floodRoutes, {
  listFloods: ({ services, query }) => listFloods(services.db, query),
  getFlood: ({ services, params }) => getFlood(services.db, params.id),
  getFloodCoverage: ({ services }) => floodCoverage(services.db),
  getFloodIsolation: ({ services, params }) => isolationOf(services, params.id),
  getFloodTraffic: ({ services, params }) => floodTraffic(services.db, params.id),
  getNodeAddresses: ({ services, params }) => nodeAddresses(services.db, params.id),
  getFloodSetting: reads(floodSettings),
  updateFloodSetting: writes(floodSettings),
});
