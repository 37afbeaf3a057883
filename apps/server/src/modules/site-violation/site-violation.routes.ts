import { siteViolationRoutes } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { listSiteViolations, readSiteViolationStats } from './site-violation.store.ts';

export const siteViolationModule = implement(siteViolationRoutes, {
  listSiteViolations: ({ services, scope, query }) => {
    refuseReversed(query);
    return listSiteViolations(services.db, scope, query);
  },
  getSiteViolationStats: ({ services, scope, query }) => {
    refuseReversed(query);
    return readSiteViolationStats(services.db, scope, query);
  },
});

function refuseReversed({
  start_time,
  end_time,
}: {
  start_time?: string | undefined;
  end_time?: string | undefined;
}) {
  if (start_time && end_time && Date.parse(start_time) >= Date.parse(end_time))
    throw invalid('end_time', 'range_reversed');
}
