import { expect, test } from 'vitest';
import type { RouteSpec } from './define.ts';
import { routes, siteSections } from './index.ts';
import { fieldNamesOf, secretPlaces } from './secret.ts';

/** Who gets a secret in an answer, and why there is no other way. */
const given: Record<string, string> = {
  signInAdmin: 'token',
  signInClient: 'token',
  signInAdminByPasskey: 'token',
  signInClientByPasskey: 'token',
  signUp: 'accessToken',
  // Shown once.
  createNode: 'app_secret',
  renewNodeCredentials: 'app_secret',
  createApiToken: 'token',
  startTwoFactor: 'secret,otpauth_uri',
  confirmTwoFactor: 'recovery_codes',
  renewRecoveryCodes: 'recovery_codes',
  // What the browser asks the authenticator for; the console's log keeps them to itself.
  startPasskey: 'credential_ids',
  // To the node.
  nodeReport: 'link_key,ticket_keys,pass_keys,http_authorization',
};

test('no answer holds a secret but those whose purpose it is', () => {
  const found = Object.entries(routes as Record<string, RouteSpec>).flatMap(([name, { response }]) => {
    const { secret } = fieldNamesOf([{ response } as RouteSpec]);
    return secret.size === 0 ? [] : [[name, [...secret].join()]];
  });
  expect(Object.fromEntries(found)).toEqual(given);
});

test('these sections of a site hold secrets', () => {
  const held = Object.entries(siteSections).map(([name, schema]) => [name, secretPlaces(schema)] as const);
  expect(Object.fromEntries(held.filter(([, places]) => Object.keys(places).length > 0))).toEqual({
    origin_server_config: { object_storage: { secret_access_key: true } },
    access_control: {
      signing: { secret: true, previous_secret: true },
      basic_auth: { users: { password: true } },
    },
  });
});
