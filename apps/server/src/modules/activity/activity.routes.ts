import { activityPermissions, activityRoutes } from '@breakwater/contract';
import { ApiError } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { listActivity } from './activity.store.ts';

export const activityModule = implement(activityRoutes, {
  listActivity: ({ services, session, scope, query }) => {
    if (!session.permissions.has(activityPermissions[query.subject_kind])) throw new ApiError('forbidden');
    return listActivity(services.db, scope, query);
  },
});
