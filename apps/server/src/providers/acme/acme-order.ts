import { createHash } from 'node:crypto';
import * as z from 'zod';
import { retryAtOf } from '../call-http.ts';
import { AcmeProblem, wordsOf } from './acme-problem.ts';
import type { AcmeReply, AcmeSession, AcmeSigner } from './acme-session.ts';

/** Orders, authorizations and challenges (RFC 8555 §7.1.3 to 7.1.5). Each call reads anew: the authority knows how far it is. */

const orderShape = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()).max(1000),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: z.unknown().optional(),
});
export type AcmeOrder = z.infer<typeof orderShape> & { url: string; retryAt: Date | undefined };

const challengeShape = z.object({
  type: z.string(),
  url: z.url(),
  status: z.enum(['pending', 'processing', 'valid', 'invalid']),
  token: z
    .string()
    .regex(/^[\w-]{16,200}$/)
    .optional(),
  error: z.unknown().optional(),
});
const authorizationShape = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.literal('dns'), value: z.string().max(253) }),
  wildcard: z.boolean().optional(),
  challenges: z.array(z.unknown()),
});

export const challengeKinds = ['http-01', 'dns-01'] as const;
export type ChallengeKind = (typeof challengeKinds)[number];

/** Of one name: how far its proof is, and by which challenge it is proven. */
export interface AcmeAuthorization {
  /** Without `*.`. */
  name: string;
  isWildcard: boolean;
  status: z.infer<typeof authorizationShape>['status'];
  /** Absent where the authority offers none of the kind that was asked for. */
  challenge: { url: string; token: string; status: z.infer<typeof challengeShape>['status'] } | undefined;
  /** The authority's words on what failed; empty where nothing did. */
  words: string;
}

function read<Shape extends z.ZodType>(shape: Shape, { json, status }: AcmeReply): z.output<Shape> {
  const found = shape.safeParse(json);
  if (!found.success) throw new AcmeProblem('provider_answer', { status });
  return found.data;
}

interface NewOrder {
  names: readonly string[];
  profile: string;
  /** The certificate that this one follows, where the authority gives renewal information. */
  replaces?: string | undefined;
}

export async function newOrder(
  session: AcmeSession,
  signer: AcmeSigner,
  { names, profile, replaces }: NewOrder,
): Promise<AcmeOrder> {
  const directory = await session.directory();
  const reply = await session.post(signer, directory.newOrder, {
    identifiers: names.map((value) => ({ type: 'dns', value })),
    ...(profile === '' ? {} : { profile }),
    ...(replaces === undefined || directory.renewalInfo === undefined ? {} : { replaces }),
  });
  const url = reply.headers.location;
  if (url === undefined) throw new AcmeProblem('provider_answer');
  return orderOf(url, reply);
}

export const readOrder = async (session: AcmeSession, signer: AcmeSigner, url: string): Promise<AcmeOrder> =>
  orderOf(url, await session.post(signer, url, undefined));

const orderOf = (url: string, reply: AcmeReply): AcmeOrder => ({
  ...read(orderShape, reply),
  url,
  retryAt: retryAtOf(reply.headers['retry-after']),
});

/** What an authority says of an order that it gave up. */
export const orderWords = ({ error }: AcmeOrder): string => wordsOf(error);

export async function readAuthorization(
  session: AcmeSession,
  signer: AcmeSigner,
  { url, kind }: { url: string; kind: ChallengeKind },
): Promise<AcmeAuthorization> {
  const found = read(authorizationShape, await session.post(signer, url, undefined));
  // Kinds that are not known here may look otherwise.
  const challenges = found.challenges.flatMap((each) => {
    const one = challengeShape.safeParse(each);
    return one.success ? [one.data] : [];
  });
  const wanted = challenges.find(({ type, token }) => type === kind && token !== undefined);
  return {
    name: found.identifier.value.toLowerCase(),
    isWildcard: found.wildcard === true,
    status: found.status,
    challenge: wanted && { url: wanted.url, token: wanted.token!, status: wanted.status },
    words: challenges.map(({ error }) => wordsOf(error)).find((words) => words !== '') ?? '',
  };
}

/** Lets the authority look. */
export async function startChallenge(session: AcmeSession, signer: AcmeSigner, url: string): Promise<void> {
  await session.post(signer, url, {});
}

/** What a TXT record says for dns-01 (RFC 8555 §8.4). */
export const recordValue = (keyAuthorization: string): string =>
  createHash('sha256').update(keyAuthorization).digest('base64url');

/** `csr` is DER. */
export async function finalizeOrder(
  session: AcmeSession,
  signer: AcmeSigner,
  { order, csr }: { order: AcmeOrder; csr: Buffer },
): Promise<AcmeOrder> {
  const reply = await session.post(signer, order.finalize, { csr: csr.toString('base64url') });
  return orderOf(order.url, reply);
}

const chainMax = 100_000;

/** The chain in PEM, the certificate first. */
export async function downloadCertificate(
  session: AcmeSession,
  signer: AcmeSigner,
  url: string,
): Promise<string> {
  const { text } = await session.post(signer, url, undefined);
  if (!text.includes('-----BEGIN CERTIFICATE-----') || text.length > chainMax)
    throw new AcmeProblem('provider_answer');
  return text;
}

/** RFC 5280 §5.3.1, those that a subscriber may give. */
export const revocationReasons = {
  unspecified: 0,
  key_compromise: 1,
  affiliation_changed: 3,
  superseded: 4,
  cessation_of_operation: 5,
} as const;

export async function revokeCertificate(
  session: AcmeSession,
  signer: AcmeSigner,
  { der, reason }: { der: Buffer; reason: keyof typeof revocationReasons },
): Promise<void> {
  const { revokeCert } = await session.directory();
  if (revokeCert === undefined) throw new AcmeProblem('acme_no_revocation');
  const payload = { certificate: der.toString('base64url'), reason: revocationReasons[reason] };
  await session.post(signer, revokeCert, payload).catch((error: unknown) => {
    if (!(error instanceof AcmeProblem) || error.type !== 'alreadyRevoked') throw error;
  });
}
