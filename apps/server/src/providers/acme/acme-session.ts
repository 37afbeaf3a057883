import { rootCertificates } from 'node:tls';
import { FlattenedSign, type CryptoKey, type JWK } from 'jose';
import * as z from 'zod';
import { ProviderProblem } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { callHttp, retryAtOf, type HttpAnswer, type HttpCall, type HttpLimits } from '../call-http.ts';
import { AcmeProblem, typeOf, wordsOf } from './acme-problem.ts';

/** Where an authority is, and whom its own certificate may be from besides the public authorities. */
export interface AcmeServer {
  directoryUrl: string;
  /** PEM; empty: the public ones alone. */
  directoryCa: string;
}

/** What an authority offers (RFC 8555 §7.1.1; `renewalInfo` RFC 9773 §4). */
const directoryShape = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  revokeCert: z.url().optional(),
  renewalInfo: z.url().optional(),
  meta: z
    .object({
      termsOfService: z.string().optional(),
      caaIdentities: z.array(z.string()).optional(),
      externalAccountRequired: z.boolean().optional(),
      profiles: z.record(z.string(), z.string()).optional(),
    })
    .default({}),
});
export type AcmeDirectory = z.infer<typeof directoryShape>;

/** Whoever signs: with the key alone before there is an account, then by the account's address. */
export interface AcmeSigner {
  key: CryptoKey;
  publicKey: JWK;
  /** Of the account; empty before it is registered. */
  accountUrl: string;
}

export interface AcmeReply extends HttpAnswer {
  json: unknown;
}

/** How often a request is repeated whose nonce was refused: each refusal brings a fresh one. */
const nonceTries = 20;
const noncesMax = 20;

/** Requests to one authority: its directory, its nonces, and what is signed for it. Nothing here outlives the process. */
export class AcmeSession {
  readonly server: AcmeServer;
  readonly #reach: Reach;
  readonly #limits: HttpLimits;
  readonly #nonces: string[] = [];
  #directory: AcmeDirectory | undefined;

  constructor(server: AcmeServer, reach: Reach) {
    this.server = server;
    this.#reach = reach;
    const { directoryCa } = server;
    this.#limits = {
      secondsMax: 30,
      bytesMax: 1024 * 1024,
      ...(directoryCa === '' ? {} : { ca: [...rootCertificates, directoryCa] }),
    };
  }

  async directory(): Promise<AcmeDirectory> {
    if (this.#directory) return this.#directory;
    const { status, json } = await this.get(this.server.directoryUrl);
    const read = directoryShape.safeParse(json);
    if (status !== 200 || !read.success) throw new AcmeProblem('acme_directory', { status });
    this.#directory = read.data;
    return read.data;
  }

  /** What needs no signature. */
  async get(url: string): Promise<AcmeReply> {
    return this.#said(await this.#ask('GET', url));
  }

  /** `payload` undefined: a read (POST-as-GET, RFC 8555 §6.3). */
  async post(signer: AcmeSigner, url: string, payload: object | undefined): Promise<AcmeReply> {
    for (let tries = 1; ; tries++) {
      const body = await signed(signer, { url, nonce: await this.#nonce(), payload });
      try {
        return this.#said(await this.#ask('POST', url, body));
      } catch (error) {
        const isNonce = error instanceof AcmeProblem && error.type === 'badNonce';
        if (!isNonce || tries === nonceTries) throw error;
      }
    }
  }

  async #nonce(): Promise<string> {
    const held = this.#nonces.pop();
    if (held !== undefined) return held;
    const { newNonce } = await this.directory();
    const { headers } = await this.#ask('HEAD', newNonce);
    const nonce = headers['replay-nonce'];
    if (typeof nonce !== 'string') throw new ProviderProblem('provider_answer');
    return nonce;
  }

  #ask(method: HttpCall['method'], url: string, body?: string): Promise<HttpAnswer> {
    const headers = { accept: '*/*', 'accept-language': 'en' };
    const jose = { ...headers, 'content-type': 'application/jose+json' };
    const call = body === undefined ? { method, url, headers } : { method, url, headers: jose, body };
    return callHttp(this.#reach, call, this.#limits);
  }

  /** Keeps the nonce, and throws what is no success. */
  #said({ status, headers, text }: HttpAnswer): AcmeReply {
    const nonce = headers['replay-nonce'];
    if (typeof nonce === 'string' && this.#nonces.length < noncesMax) this.#nonces.push(nonce);
    const json = parsed(text);
    if (status >= 200 && status < 300) return { status, headers, text, json };
    const type = typeOf(json);
    const isLimit = type === 'rateLimited' || status === 429;
    const detail = wordsOf(json);
    throw new AcmeProblem(isLimit ? 'acme_rate_limited' : 'acme_refused', {
      detail: detail === '' ? `HTTP ${status}` : detail,
      type,
      status,
      retryAt: retryAtOf(headers['retry-after']),
    });
  }
}

interface Signed {
  url: string;
  nonce: string;
  payload: object | undefined;
}

async function signed({ key, publicKey, accountUrl }: AcmeSigner, { url, nonce, payload }: Signed) {
  const text = payload === undefined ? '' : JSON.stringify(payload);
  const who = accountUrl === '' ? { jwk: publicKey } : { kid: accountUrl };
  const jws = await new FlattenedSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ES256', nonce, url, ...who })
    .sign(key);
  return JSON.stringify(jws);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
