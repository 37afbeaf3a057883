import { attackKinds, attackRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { ranged } from './asked-range.service.ts';
import { namesOf, withOrders } from './statistics.store.ts';
import { whileThere } from './while-there.service.ts';

/** The sources of which the most requests came are looked at for campaigns. */
const sourcesMax = 100;

export const attackModule = implement(attackRoutes, {
  readAttackTrend: async ({ services, scope, query, reply }) => {
    const filter = await withOrders(services.db, scope, query);
    const { range, stepMs, steps, rows } = await whileThere(reply, (gone) =>
      ranged(services, 'record_days', query, () => services.logStore.attackSteps(scope, filter, gone)),
    );
    const kinds = attackKinds.map((kind, index) => {
      const counts = Array<number>(steps).fill(0);
      for (const row of rows) counts[row.step] = row.kinds[index]!;
      return { kind, requests: counts.reduce((sum, count) => sum + count, 0), counts };
    });
    return {
      times: Array.from({ length: steps }, (_, step) => new Date(range.start + step * stepMs).toISOString()),
      requests: rows.reduce((sum, { requests }) => sum + requests, 0),
      kinds: kinds.filter(({ requests }) => requests > 0).toSorted((a, b) => b.requests - a.requests),
    };
  },

  readAttackCampaigns: async ({ services, scope, query, reply }) => {
    const filter = await withOrders(services.db, scope, query);
    const found = await whileThere(reply, (gone) =>
      ranged(services, 'record_days', query, () =>
        services.logStore.campaigns(scope, { ...filter, sourcesMax }, gone),
      ),
    );
    const ids = new Set(found.flatMap(({ site_ids }) => site_ids));
    ids.delete(0);
    const names = await namesOf(services.db, scope, 'site', [...ids]);
    return {
      list: found.map(({ site_ids, ...campaign }) => ({
        ...campaign,
        sites: site_ids.flatMap((id) => (id === 0 ? [] : [{ id, name: names.get(id) ?? '' }])),
      })),
    };
  },
});
