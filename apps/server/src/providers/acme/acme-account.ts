import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  FlattenedSign,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from 'jose';
import { createPublicKey } from 'node:crypto';
import { AcmeProblem } from './acme-problem.ts';
import type { AcmeSession, AcmeSigner } from './acme-session.ts';

/** Accounts at an authority (RFC 8555 §7.3). Their keys are ES256, as PKCS #8 in PEM. */

export async function newAccountKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return exportPKCS8(privateKey);
}

export async function signerOf(pem: string, accountUrl: string): Promise<AcmeSigner> {
  return {
    key: await importPKCS8(pem, 'ES256'),
    publicKey: await exportJWK(createPublicKey(pem)),
    accountUrl,
  };
}

/** Given by an authority that knows its customers otherwise (RFC 8555 §7.3.4). */
export interface ExternalAccount {
  keyId: string;
  /** Base64url. */
  hmacKey: string;
}

interface Registration {
  email: string;
  termsAgreed: boolean;
  external: ExternalAccount | undefined;
}

/** Registers the key, or finds the account that it has already. Answers the account's address. */
export async function registerAccount(
  session: AcmeSession,
  signer: AcmeSigner,
  { email, termsAgreed, external }: Registration,
): Promise<string> {
  const { newAccount, meta } = await session.directory();
  if (meta.externalAccountRequired === true && external === undefined)
    throw new AcmeProblem('acme_eab_required');
  const { headers } = await session.post({ ...signer, accountUrl: '' }, newAccount, {
    termsOfServiceAgreed: termsAgreed,
    ...(email === '' ? {} : { contact: [`mailto:${email}`] }),
    ...(external ? { externalAccountBinding: await bound(external, newAccount, signer.publicKey) } : {}),
  });
  if (headers.location === undefined) throw new AcmeProblem('provider_answer');
  return headers.location;
}

async function bound({ keyId, hmacKey }: ExternalAccount, url: string, publicKey: JWK) {
  return new FlattenedSign(new TextEncoder().encode(JSON.stringify(publicKey)))
    .setProtectedHeader({ alg: 'HS256', kid: keyId, url })
    .sign(Buffer.from(hmacKey, 'base64url'));
}

/** What answers a challenge: its token with the fingerprint of the account's key (RFC 8555 §8.1). */
export async function keyAuthorization({ publicKey }: AcmeSigner, token: string): Promise<string> {
  return `${token}.${await calculateJwkThumbprint(publicKey)}`;
}
