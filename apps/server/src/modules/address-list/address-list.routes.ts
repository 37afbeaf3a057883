import { addressListRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { refreshNow } from './address-list-fetch.ts';
import { placeOfAddress } from '../ip-data/ip-data.service.ts';
import { robotOfAddress } from '../ip-data/robot.service.ts';
import { removeEntries } from './rule-entries.ts';
import {
  createAddressList,
  getAddressList,
  listAddressLists,
  listsNaming,
  removeAddressList,
  updateAddressList,
} from './address-list.store.ts';

export const addressListModule = implement(addressListRoutes, {
  listAddressLists: ({ services, scope, query }) => listAddressLists(services.db, scope, query),
  getAddressList: ({ services, scope, params }) => getAddressList(services.db, scope, params.id),
  lookUpAddress: async ({ services, scope, query: { ip, lists = '', robot } }) => ({
    ...(await placeOfAddress(services, ip)),
    lists: lists === '' ? [] : await listsNaming(services.db, scope, lists.split(',').map(Number), ip),
    robot: robot === undefined ? null : ((await robotOfAddress(services.db, ip)) ?? null),
  }),
  createAddressList: async ({ services, scope, session, body }) => {
    const id = await createAddressList(services.db, scope, session, body);
    if (body.source === 'url') await refreshNow(services, scope, id, session);
    return { id };
  },
  updateAddressList: async ({ services, scope, session, params, body }) => ({
    task_id: await updateAddressList(services.db, scope, session, params.id, body),
  }),
  refreshAddressList: ({ services, scope, session, params }) =>
    refreshNow(services, scope, params.id, session),
  removeAddressListEntries: async ({ services, session, scope, params, body }) => ({
    removed: await removeEntries(services.db, scope, session, params.id, body),
  }),
  removeAddressList: async ({ services, session, scope, params }) => {
    await removeAddressList(services.db, scope, session, params.id);
    return {};
  },
});
