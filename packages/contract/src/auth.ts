import * as z from 'zod';
import { dateTime, email, id, nothing, password, inputText, version } from './common.ts';
import { defineRoutes } from './define.ts';
import { builtinGroups, permissions, type Permission } from './permissions.ts';
import { secret } from './secret.ts';

/** `jwt_buffer_time`: seconds from now for which the token is good. */
export const signedIn = z.strictObject({
  token: secret(z.string()),
  jwt_buffer_time: z.int(),
  user_id: id,
  username: z.string(),
});

export const shownGroup = z.strictObject({
  builtin: z.enum(builtinGroups).nullable(),
  name: z.string().nullable(),
});

export const account = z.strictObject({
  user_id: id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  /** Members of a customer's account are `user`, as the customer is. */
  role: z.enum(['admin', 'user']),
  /** The group of an administrator; absent for a customer. A shipped one has no name until somebody renames it. */
  group: shownGroup.optional(),
  /** What it may do, of the catalogue. */
  permissions: z.array(z.enum(Object.keys(permissions) as Permission[])).readonly(),
  /** Of the customer's it reaches certain sites only, and what belongs to them; so a member can be, and an API token. */
  limited: z.boolean(),
  status: z.enum(['active', 'disabled']),
  last_login_ip: z.string(),
  last_login_at: dateTime.nullable(),
  /** Of its name and e-mail, among others: a change of the profile names it. */
  version,
});
export type Account = z.infer<typeof account>;

const personName = inputText().trim().min(1).max(50);
export const signUpInput = z.strictObject({ email, password, firstName: personName, lastName: personName });

export const typedPassword = secret(inputText().min(1).max(128));
/** Six digits of an authenticator app, or a recovery code; blanks and hyphens are passed over. */
export const oneTimeCode = secret(inputText().trim().min(1).max(40));

export const authRoutes = defineRoutes({
  signInAdmin: {
    method: 'POST',
    path: '/prod-api/auth/login',
    summary:
      'Sign in as an administrator. If the response is 40101, send the same request again with a one-time code.',
    access: { kind: 'public', on: 'admin' },
    body: z.strictObject({
      username: inputText().trim().min(1).max(100),
      password: typedPassword,
      one_time_code: oneTimeCode.optional(),
    }),
    response: signedIn,
  },
  signInClient: {
    method: 'POST',
    path: '/prod-api/login',
    summary:
      'Sign in as a customer or a member. If the response is 40101, send the same request again with a one-time code.',
    access: { kind: 'public', on: 'user' },
    body: z.strictObject({
      email: inputText().trim().min(1).max(200),
      password: typedPassword,
      one_time_code: oneTimeCode.optional(),
    }),
    response: signedIn,
  },
  signUp: {
    method: 'POST',
    path: '/prod-api/register',
    summary: 'Sign up as a customer and sign in. Rejected if the operator has disabled sign-up.',
    access: { kind: 'public', on: 'user' },
    body: signUpInput,
    response: z.strictObject({
      accessToken: secret(z.string()),
      jwt_buffer_time: z.int(),
      user_id: id,
      username: z.string(),
    }),
  },
  signOut: {
    method: 'POST',
    path: '/prod-api/auth/logout',
    summary: 'Sign out. The token of this request stops working.',
    access: { kind: 'signed_in', tokens: false },
    response: nothing,
  },
  currentAccount: {
    method: 'GET',
    path: '/prod-api/auth/info',
    summary: 'Get the signed-in account.',
    access: { kind: 'signed_in' },
    response: account,
  },
});
