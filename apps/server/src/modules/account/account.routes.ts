import { accountRoutes, apiTokenRoutes } from '@breakwater/contract';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { sessionIdOf, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { recordOwn } from './account-event.ts';
import { createApiToken, listApiTokens, removeApiToken } from './api-token.store.ts';
import { changeOwnPassword, updateProfile } from './profile.store.ts';
import { endSession, endSessions, listSessions } from './session.store.ts';
import { confirmPassword } from './sign-in.service.ts';
import {
  confirmTwoFactor,
  disableTwoFactor,
  readTwoFactor,
  replaceRecoveryCodes,
  spendCode,
  startTwoFactor,
} from './two-factor.store.ts';

export const accountModule = implement(accountRoutes, {
  updateProfile: async ({ services, request, session, body }) => {
    await updateProfile(services, request, session, body);
    return {};
  },
  changeOwnPassword: async ({ services, request, session, body }) => {
    await changeOwnPassword(services, request, session, body);
    return {};
  },
  listSessions: ({ services, session, query }) =>
    listSessions(services.db, session, sessionIdOf(session), query),
  endSession: async ({ services, session, params }) => {
    await endSession(services.db, session, params.id);
    return {};
  },
  endOtherSessions: async ({ services, session }) => {
    await services.db.transaction(async (tx) => {
      await endSessions(tx, session, sessionIdOf(session));
      await recordOwn(tx, session, 'sessions_ended');
    });
    return {};
  },
  getTwoFactor: ({ services, session }) => readTwoFactor(services.db, session),
  startTwoFactor: async ({ services, request, session, body }) => {
    const { signInName } = await confirmPassword(services, request, session, body);
    return startTwoFactor(services, session, signInName);
  },
  confirmTwoFactor: async ({ services, session, body }) => ({
    recovery_codes: await confirmTwoFactor(services, session, body.one_time_code),
  }),
  renewRecoveryCodes: async ({ services, request, session, body }) => {
    await confirmBoth(services, request, session, body);
    return {
      recovery_codes: await services.db.transaction(async (tx) => {
        await recordOwn(tx, session, 'recovery_codes_replaced');
        return replaceRecoveryCodes(tx, session);
      }),
    };
  },
  disableTwoFactor: async ({ services, request, session, body }) => {
    await confirmBoth(services, request, session, body);
    await services.db.transaction(async (tx) => {
      await disableTwoFactor(tx, session);
      await recordOwn(tx, session, 'two_factor_disabled');
    });
    return {};
  },
});

async function confirmBoth(
  services: Services,
  request: FastifyRequest,
  session: Session,
  body: { password: string; one_time_code: string },
): Promise<void> {
  await confirmPassword(services, request, session, body);
  if (!(await spendCode(services, session, body.one_time_code)))
    throw invalid('one_time_code', 'one_time_code_wrong');
}

export const apiTokenModule = implement(apiTokenRoutes, {
  listApiTokens: ({ services, session, query }) => listApiTokens(services.db, session, query),
  createApiToken: async ({ services, request, session, body: { password, ...input } }) => {
    await confirmPassword(services, request, session, { password });
    return createApiToken(services.db, session, input);
  },
  removeApiToken: async ({ services, session, params }) => {
    await removeApiToken(services.db, session, params.id);
    return {};
  },
});
