import { captchaAccountRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { publishCaptchaAccount, testCaptchaAccount } from './captcha-account.service.ts';
import {
  captchaAccounts,
  getCaptchaAccount,
  listCaptchaAccounts,
  removeCaptchaAccount,
} from './captcha-account.store.ts';

export const captchaAccountModule = implement(captchaAccountRoutes, {
  listCaptchaAccounts: ({ services, scope, query }) => listCaptchaAccounts(services.db, scope, query),
  getCaptchaAccount: ({ services, scope, params }) => getCaptchaAccount(services.db, scope, params.id),
  createCaptchaAccount: async ({ services, scope, body }) => ({
    id: await services.db.transaction((tx) => captchaAccounts.create(tx, scope, services.secrets, body)),
  }),
  updateCaptchaAccount: ({ services: { db, secrets }, scope, session, params, body }) =>
    db.transaction(async (tx) => {
      const row = await captchaAccounts.update(tx, scope, secrets, { id: params.id, ...body });
      return {
        version: row.version,
        task_id: await publishCaptchaAccount(tx, secrets, row, session.name),
      };
    }),
  removeCaptchaAccount: async ({ services, scope, params }) => {
    await services.db.transaction((tx) => removeCaptchaAccount(tx, scope, params.id));
    return {};
  },
  testCaptchaAccount: ({ services, scope, params, language }) =>
    testCaptchaAccount(services, scope, params.id, language),
});
