import { activityPermissions, activityRoutes, eventSubjects } from '@breakwater/contract';
import { ApiError } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { listActivity } from './activity.store.ts';

export const activityModule = implement(activityRoutes, {
  listActivity: ({ services, session, scope, query }) => {
    const readable = eventSubjects.filter((kind) => session.permissions.has(activityPermissions[kind]));
    const { subject_kind: kind } = query;
    if (kind !== undefined && !readable.includes(kind)) throw new ApiError('forbidden');
    return listActivity(services.db, scope, query, readable);
  },
});
