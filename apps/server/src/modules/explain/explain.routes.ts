import { explainRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { explainLogged, explainRequest } from './explain.service.ts';

export const explainModule = implement(explainRoutes, {
  explainSite: ({ services, scope, params, body }) => explainRequest(services, scope, params.id, body),
  explainLoggedRequest: ({ services, scope, params, body }) =>
    explainLogged(services, scope, params.id, body),
});
