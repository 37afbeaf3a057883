import { sitePostureRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { postureOf } from './site-posture.service.ts';

export const sitePostureModule = implement(sitePostureRoutes, {
  getSitePosture: async ({ services, scope, params }) => ({
    posture: await postureOf(services, scope, params.id, new Date()),
  }),
});
