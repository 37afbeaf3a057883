import { passkeyRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { finishPasskey, signInByPasskey, startPasskey, startPasskeySignIn } from './passkey.service.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkey.store.ts';

export const passkeyModule = implement(passkeyRoutes, {
  startPasskeySignIn: ({ services, request }) => startPasskeySignIn(services, request),
  signInAdminByPasskey: ({ services, request, body }) => signInByPasskey(services, request, 'admin', body),
  signInClientByPasskey: ({ services, request, body }) => signInByPasskey(services, request, 'user', body),
  listPasskeys: ({ services, session, query }) => listPasskeys(services.db, session, query),
  startPasskey: ({ services, request, session, body }) => startPasskey(services, request, session, body),
  addPasskey: async ({ services, request, session, body }) => ({
    id: await finishPasskey(services, request, session, body),
  }),
  renamePasskey: async ({ services, session, params, body }) => {
    await renamePasskey(services.db, session, params.id, body);
    return {};
  },
  removePasskey: async ({ services, session, params }) => {
    await removePasskey(services.db, session, params.id);
    return {};
  },
});
