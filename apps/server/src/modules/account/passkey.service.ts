import type { passkeyRoutes } from '@breakwater/contract';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { ApiError } from '../../api-error.ts';
import { passkey } from '../../db/schema.ts';
import { isSibling, publicOrigins } from '../../plugins/console-origin.ts';
import type { Audience, Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { clearAttempts, countAttempt } from './attempt.store.ts';
import { isGoodChallenge, makeChallenge, spendChallenge, type Purpose } from './passkey-challenge.ts';
import { addPasskey, credentialIdsOf } from './passkey.store.ts';
import { accountOf, type Account } from './session.store.ts';
import { confirmPassword, enter, findAccount } from './sign-in.service.ts';

const refused = () => new ApiError('passkey_refused');

/**
 * The host that passkeys are for, and the origin that answers come from: those of the page that asks. Where the operator has
 * named addresses, no other counts; else the page's host must be the one that was called. Throws `passkey_refused`.
 */
function relyingPartyOf({ config }: Services, request: FastifyRequest): { id: string; origin: string } {
  const { origin = '' } = request.headers;
  const known = publicOrigins(config);
  const isOwn =
    origin === `${request.protocol}://${request.host}` || isSibling(config, origin, request.hostname);
  if (known.length > 0 ? !known.includes(origin) : !isOwn) throw refused();
  return { id: new URL(origin).hostname, origin };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export function startPasskeySignIn(services: Services, request: FastifyRequest) {
  return {
    challenge: textOf(makeChallenge(services.secrets, 'sign-in')),
    relying_party: relyingPartyOf(services, request).id,
  };
}

/** Wants the password: a passkey outlasts the session. */
export async function startPasskey(
  services: Services,
  request: FastifyRequest,
  account: Account,
  input: { password: string },
) {
  const { signInName } = await confirmPassword(services, request, account, input);
  return {
    challenge: textOf(makeChallenge(services.secrets, registerFor(account))),
    relying_party: relyingPartyOf(services, request).id,
    app_name: services.config.appName,
    user_handle: Buffer.from(`${account.kind}:${account.id}`).toString('base64url'),
    username: signInName,
    credential_ids: await credentialIdsOf(services.db, account),
  };
}

const registerFor = ({ kind, id }: Account): Purpose => `register ${kind} ${id}`;

type Attested = z.infer<(typeof passkeyRoutes)['addPasskey']['body']>;
type Asserted = z.infer<(typeof passkeyRoutes)['signInAdminByPasskey']['body']>;

/** Takes a challenge that is ours, for this and not used before; keeps it, to be spent once all else is right. */
function challengeCheck({ secrets }: Services, purpose: Purpose) {
  let seen = '';
  const check = (challenge: string): boolean => {
    seen = challenge;
    return isGoodChallenge(secrets, purpose, challenge);
  };
  return { check, seen: () => seen };
}

export async function finishPasskey(
  services: Services,
  request: FastifyRequest,
  account: Session,
  input: Attested,
): Promise<number> {
  const { id: relyingParty, origin } = relyingPartyOf(services, request);
  const challenge = challengeCheck(services, registerFor(account));
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: input.credential_id,
      rawId: input.credential_id,
      type: 'public-key',
      response: { clientDataJSON: input.client_data, attestationObject: input.attestation_object },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge.check,
    expectedOrigin: origin,
    expectedRPID: relyingParty,
    requireUserVerification: true,
    // What cannot be read is no passkey, whatever is wrong with it.
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo || !(await spendChallenge(services.db, challenge.seen()))) throw refused();
  const { id, publicKey, counter } = registrationInfo.credential;
  return addPasskey(services.db, account, {
    name: input.name,
    credentialId: id,
    publicKey,
    counter,
    transports: input.transports,
    relyingParty,
  });
}

/** Signs in at this console. Throws `passkey_refused`, `wrong_credentials`, `too_many_attempts`. */
export async function signInByPasskey(
  services: Services,
  request: FastifyRequest,
  audience: Audience,
  input: Asserted,
) {
  const { db } = services;
  const attempt = { account: `passkey:${input.credential_id}`, address: request.ip };
  await countAttempt(db, attempt);
  const { id: relyingParty, origin } = relyingPartyOf(services, request);
  const [row] = await db.select().from(passkey).where(eq(passkey.credentialId, input.credential_id));
  const account = row && accountOf(row);
  if (!account || (account.kind === 'admin') !== (audience === 'admin')) throw refused();
  if (row.relyingParty !== relyingParty) throw refused();
  const challenge = challengeCheck(services, 'sign-in');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: input.credential_id,
      rawId: input.credential_id,
      type: 'public-key',
      response: {
        clientDataJSON: input.client_data,
        authenticatorData: input.authenticator_data,
        signature: input.assertion,
      },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge.check,
    expectedOrigin: origin,
    expectedRPID: row.relyingParty,
    credential: {
      id: row.credentialId,
      publicKey: new Uint8Array(row.publicKey),
      counter: row.counter,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo || !(await spendChallenge(db, challenge.seen()))) throw refused();
  await db
    .update(passkey)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: new Date() })
    .where(eq(passkey.id, row.id));
  await clearAttempts(db, attempt);
  return enter(services, request, await findAccount(db, account));
}
