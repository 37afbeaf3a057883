import { statisticsRoutes } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import { LogRangeError } from '../../logs/log-store.ts';
import { implement } from '../../plugins/implement.ts';
import { readLogRetention, writeLogRetention } from '../setting/setting.store.ts';

export const statisticsModule = implement(statisticsRoutes, {
  monitorMetric: async ({ services, scope, params, query }) => ({
    interval: query.interval,
    points: await ranged(() => services.logStore.series(scope, params.side, params.metric, query)),
  }),
  monitorSummary: ({ services, scope, params, query }) =>
    ranged(() => services.logStore.summary(scope, params.side, query)),
  listAccessLogs: async ({ services, scope, query }) => {
    const { current_page, page_size, ...filters } = query;
    const found = await ranged(() => services.logStore.search(scope, filters, { current_page, page_size }));
    return { ...found, current_page, page_size };
  },
  getLogRetention: ({ services }) => readLogRetention(services.db),
  updateLogRetention: async ({ services, body }) => {
    await writeLogRetention(services.db, body);
    return body;
  },
});

/** A range that cannot be answered is the caller's to mend: at its end when reversed, at its step when too fine. */
async function ranged<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LogRangeError)
      throw invalid(error.issue === 'range_too_fine' ? 'interval' : 'end_time', error.issue);
    throw error;
  }
}
