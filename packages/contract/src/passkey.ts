import * as z from 'zod';
import { signedIn, typedPassword } from './auth.ts';
import {
  created,
  dateTime,
  id,
  idParams,
  inputText,
  listOf,
  listQuery,
  name,
  nothing,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { secret } from './secret.ts';

/** Passkeys: credentials of WebAuthn Level 3 that are found without a name, and that verify who uses them. */

/** Bytes in base64url, as browsers give them. */
const base64url = (max: number) =>
  inputText()
    .max(max)
    .regex(/^[\w-]+$/);
const credential_id = secret(base64url(1400));
const client_data = base64url(8000);
const challenge = z.string();
/** The host that it is for; browsers hold to it. */
const relying_party = z.string();

export const passkey = z.strictObject({
  id,
  name: z.string(),
  relying_party,
  last_used_at: dateTime.nullable(),
  version,
  created_at: dateTime,
});
export type Passkey = z.infer<typeof passkey>;

export const passkeyName = z.strictObject({ name });
export const passkeyStartInput = z.strictObject({ name, password: typedPassword });
const attested = z.strictObject({
  name,
  credential_id,
  client_data,
  attestation_object: base64url(40_000),
  transports: z.array(inputText().max(40)).max(10).default([]),
});
const asserted = z.strictObject({
  credential_id,
  client_data,
  authenticator_data: base64url(8000),
  assertion: base64url(8000),
});

const own = { kind: 'signed_in', tokens: false } as const;

export const passkeyRoutes = defineRoutes({
  startPasskeySignIn: {
    method: 'POST',
    path: '/prod-api/auth/passkey_challenge',
    summary: 'Get the options for signing in with a passkey, valid for five minutes.',
    access: { kind: 'public', on: 'both' },
    response: z.strictObject({ challenge, relying_party }),
    unlogged: true,
  },
  signInAdminByPasskey: {
    method: 'POST',
    path: '/prod-api/auth/passkey_login',
    summary: 'Sign in as an administrator with a passkey instead of password and one-time code.',
    access: { kind: 'public', on: 'admin' },
    body: asserted,
    response: signedIn,
  },
  signInClientByPasskey: {
    method: 'POST',
    path: '/prod-api/passkey_login',
    summary: 'Sign in as a customer with a passkey instead of password and one-time code.',
    access: { kind: 'public', on: 'user' },
    body: asserted,
    response: signedIn,
  },
  listPasskeys: {
    method: 'GET',
    path: '/prod-api/account/passkey',
    summary: 'List your passkeys, newest first.',
    access: own,
    query: listQuery({}),
    response: listOf(passkey),
  },
  startPasskey: {
    method: 'POST',
    path: '/prod-api/account/passkey/start',
    summary: 'Get the options for creating a passkey for your account, valid for five minutes.',
    access: own,
    body: passkeyStartInput,
    response: z.strictObject({
      challenge,
      relying_party,
      app_name: z.string(),
      /** Tells the sign-in page whose console it is: `admin:1`, in base64url. */
      user_handle: z.string(),
      username: z.string(),
      /** Those that the account has. */
      credential_ids: secret(z.array(z.string())),
    }),
  },
  addPasskey: {
    method: 'POST',
    path: '/prod-api/account/passkey',
    summary: 'Add a passkey created by the browser.',
    access: own,
    body: attested,
    response: created,
  },
  renamePasskey: {
    method: 'PUT',
    path: '/prod-api/account/passkey/{id}',
    summary: 'Rename one of your passkeys.',
    access: own,
    params: idParams,
    body: passkeyName.extend({ version }),
    response: nothing,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/prod-api/account/passkey/{id}',
    summary: 'Delete one of your passkeys.',
    access: own,
    params: idParams,
    response: nothing,
  },
});
