import { httpFilterRoutes, httpFilterSettings, siteViolationRoutes } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { appealViolation, decideViolation, visitSoon } from './decide-violation.ts';
import { imageHash } from './image-hash.ts';
import { listSiteViolations, readSiteViolationStats, readVisits } from './site-violation.store.ts';

export const siteViolationModule = implement(siteViolationRoutes, {
  listSiteViolations: ({ services, scope, session, query }) => {
    refuseReversed(query);
    return listSiteViolations(services.db, scope, query, session.kind === 'admin');
  },
  getSiteViolationStats: ({ services, scope, query }) => {
    refuseReversed(query);
    return readSiteViolationStats(services.db, scope, query);
  },
  decideSiteViolation: ({ services, session, scope, params, body }) =>
    decideViolation(services, { session, scope }, params.id, body),
  appealSiteViolation: async ({ services, session, scope, params, body }) => {
    await appealViolation(services, { session, scope }, params.id, body);
    return {};
  },
  visitSite: async ({ services, session, scope, body }) => {
    await visitSoon(services, { session, scope }, body.site_id);
    return {};
  },
});

export const httpFilterModule = implement(httpFilterRoutes, {
  getHttpFilterSetting: reads(httpFilterSettings),
  updateHttpFilterSetting: writes(httpFilterSettings),
  hashImage: async ({ body }) => {
    const hash = await imageHash(Buffer.from(body.image, 'base64'));
    if (hash === undefined) throw invalid('image', 'filter_image');
    return { hash };
  },
  getHttpFilterState: ({ services }) => readVisits(services.db),
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
