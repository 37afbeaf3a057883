import { siteRejectRoutes, wafSettingRoutes, wafSettings } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { createRejects, followBanSetting } from './site-reject.service.ts';
import { listSiteRejects, releaseSiteRejects } from './site-reject.store.ts';

export const siteRejectModule = implement(siteRejectRoutes, {
  listSiteRejects: ({ services, scope, query }) => listSiteRejects(services.db, scope, query, new Date()),
  createSiteRejects: ({ services, session, scope, request, body }) =>
    createRejects(services.db, { session, scope }, body, request.ip),
  releaseSiteRejects: ({ services, scope, session, body }) =>
    releaseSiteRejects(services.db, { session, scope }, body),
  releaseAllSiteRejects: ({ services, scope, session, body }) =>
    releaseSiteRejects(services.db, { session, scope }, body),
});

export const wafSettingModule = implement(wafSettingRoutes, {
  getWafSetting: reads(wafSettings),
  updateWafSetting: writes(wafSettings, followBanSetting),
});
