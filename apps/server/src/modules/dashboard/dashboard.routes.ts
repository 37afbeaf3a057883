import { dashboardRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { weekBefore, lastHour, readState } from './dashboard.service.ts';
import { readSetup } from './setup.service.ts';

export const dashboardModule = implement(dashboardRoutes, {
  getDashboardStatistics: async ({ services, scope }) => {
    const summary = (range: { start_time: string; end_time: string }) =>
      services.logStore.summary(scope, 'cdn', range);
    const now = lastHour(Date.now());
    const [found, before] = await Promise.all([summary(now), weekBefore(services, now, summary)]);
    return { ...now, summary: found, before };
  },
  getDashboardTrends: async ({ services, scope }) => {
    const interval = 60;
    const range = lastHour(Date.now());
    const [visitors, origin, before] = await Promise.all([
      services.logStore.series(scope, 'cdn', 'bandwidth', { ...range, interval }),
      services.logStore.series(scope, 'origin', 'bandwidth', { ...range, interval }),
      weekBefore(services, range, (hour) =>
        services.logStore.series(scope, 'cdn', 'bandwidth', { ...hour, interval }),
      ),
    ]);
    return { interval, visitors, origin, before };
  },
  getSetupState: ({ services, scope, session }) => readSetup(services, scope, session),
  getDashboardState: ({ services, scope, session }) => readState(services, scope, session),
});
