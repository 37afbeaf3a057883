import { adminGroupRoutes, adminUserRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  createAdminGroup,
  getAdminGroup,
  listAdminGroups,
  removeAdminGroup,
  updateAdminGroup,
} from './admin-group.store.ts';
import {
  changeAdminPassword,
  createAdminUser,
  getAdminUser,
  listAdminUsers,
  removeAdminUser,
  resetAdminTwoFactor,
  updateAdminUser,
} from './admin-user.store.ts';

export const adminUserModule = implement(adminUserRoutes, {
  listAdminUsers: ({ services, session, query }) => listAdminUsers(services.db, session, query),
  getAdminUser: ({ services, session, params }) => getAdminUser(services.db, session, params.id),
  createAdminUser: async ({ services, session, body }) => ({
    id: await createAdminUser(services.database, session, body),
  }),
  updateAdminUser: async ({ services, session, params, body }) => {
    await updateAdminUser(services.database, session, params.id, body);
    return {};
  },
  changeAdminPassword: async ({ services, session, params, body }) => {
    await changeAdminPassword(services.database, session, params.id, body.password);
    return {};
  },
  resetAdminTwoFactor: async ({ services, session, params }) => {
    await resetAdminTwoFactor(services.database, session, params.id);
    return {};
  },
  removeAdminUser: async ({ services, session, params }) => {
    await removeAdminUser(services.database, session, params.id);
    return {};
  },
});

export const adminGroupModule = implement(adminGroupRoutes, {
  listAdminGroups: ({ services, query }) => listAdminGroups(services.db, query),
  getAdminGroup: ({ services, params }) => getAdminGroup(services.db, params.id),
  createAdminGroup: async ({ services, session, body }) => ({
    id: await createAdminGroup(services.database, session, body),
  }),
  updateAdminGroup: async ({ services, session, params, body }) => {
    await updateAdminGroup(services.database, session, params.id, body);
    return {};
  },
  removeAdminGroup: async ({ services, session, params }) => {
    await removeAdminGroup(services.database, session, params.id);
    return {};
  },
});
