import * as z from 'zod';
import { oneTimeCode, typedPassword } from './auth.ts';
import { dateTime, email, inputText, listOf, listQuery, nothing, password, version } from './common.ts';
import { defineRoutes } from './define.ts';
import { secret } from './secret.ts';

/** One's own account, in both consoles. What outlasts the session that asks for it wants the password once more. */

export const profileInput = z.strictObject({
  name: inputText().trim().max(100),
  /** A customer signs in with it, an administrator may have none. A new one wants the password. */
  email: z.union([z.literal(''), email]),
  password: typedPassword.optional(),
});
export const ownPasswordInput = z.strictObject({ current_password: typedPassword, password });

export const accountSession = z.strictObject({
  id: z.uuid(),
  /** The one that asks. */
  current: z.boolean(),
  user_agent: z.string(),
  /** Of its last use; exact to a minute, like the time. */
  ip: z.string(),
  last_used_at: dateTime,
  created_at: dateTime,
  expires_at: dateTime,
});
export type AccountSession = z.infer<typeof accountSession>;

export const twoFactor = z.strictObject({
  enabled_at: dateTime.nullable(),
  recovery_codes_left: z.int(),
});
/** What an authenticator app takes: the key in base32, and the same as a link for a QR code (Key URI Format). */
export const twoFactorSetup = z.strictObject({
  secret: secret(z.string()),
  otpauth_uri: secret(z.string()),
});
export const passwordInput = z.strictObject({ password: typedPassword });
export const oneTimeCodeInput = z.strictObject({ one_time_code: oneTimeCode });
export const passwordAndCodeInput = z.strictObject({ password: typedPassword, one_time_code: oneTimeCode });
/** Each works once. They are told now and never again. */
const recoveryCodes = z.strictObject({ recovery_codes: secret(z.array(z.string())) });

const own = { kind: 'signed_in', tokens: false } as const;

export const accountRoutes = defineRoutes({
  updateProfile: {
    method: 'PUT',
    path: '/prod-api/account/profile',
    summary: 'Change your name and email. Changing the email requires your password.',
    access: own,
    body: profileInput.extend({ version }),
    response: nothing,
  },
  changeOwnPassword: {
    method: 'PUT',
    path: '/prod-api/account/password',
    summary: 'Change your password and end all other sessions.',
    access: own,
    body: ownPasswordInput,
    response: nothing,
  },
  listSessions: {
    method: 'GET',
    path: '/prod-api/account/session',
    summary: 'List your sessions, last used first.',
    access: own,
    query: listQuery({}),
    response: listOf(accountSession),
  },
  endSession: {
    method: 'DELETE',
    path: '/prod-api/account/session/{id}',
    summary: 'End one of your sessions.',
    access: own,
    params: z.strictObject({ id: z.uuid() }),
    response: nothing,
  },
  endOtherSessions: {
    method: 'POST',
    path: '/prod-api/account/session/end_others',
    summary: 'End all of your sessions except the current one.',
    access: own,
    response: nothing,
  },
  getTwoFactor: {
    method: 'GET',
    path: '/prod-api/account/two_factor',
    summary:
      'Get whether two-factor authentication is enabled for you, and how many recovery codes are left.',
    access: own,
    response: twoFactor,
  },
  startTwoFactor: {
    method: 'POST',
    path: '/prod-api/account/two_factor',
    summary:
      'Create a key for an authenticator app (TOTP, RFC 6238). It takes effect once a code is confirmed.',
    access: own,
    body: passwordInput,
    response: twoFactorSetup,
  },
  confirmTwoFactor: {
    method: 'POST',
    path: '/prod-api/account/two_factor/confirm',
    summary: 'Enable two-factor authentication with a code of the new key. Returns ten recovery codes.',
    access: own,
    body: oneTimeCodeInput,
    response: recoveryCodes,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/prod-api/account/two_factor/recovery_codes',
    summary: 'Create ten new recovery codes. The old ones stop working.',
    access: own,
    body: passwordAndCodeInput,
    response: recoveryCodes,
  },
  disableTwoFactor: {
    method: 'POST',
    path: '/prod-api/account/two_factor/disable',
    summary: 'Disable two-factor authentication.',
    access: own,
    body: passwordAndCodeInput,
    response: nothing,
  },
});
