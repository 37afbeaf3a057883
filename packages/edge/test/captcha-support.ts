import type { CaptchaAccountDocument, CaptchaProviderCode } from '@breakwater/contract';
import type { DocumentResult } from '@breakwater/contract/edge-document';
import type { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { startCaptchaVendor, type CaptchaVendorServer } from '@breakwater/test-world/captcha-vendor';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, type Answer, type CallOptions, type TestEdge } from './support.ts';
import { told, type Told } from './verify-support.ts';

/** Sites that show challenges of vendors, and what browsers without a window do before them. */

export const key = 'a'.repeat(64);
export const agent = 'Mozilla/5.0 Test';
export const headers = { 'user-agent': agent, accept: 'text/html' };
export const answerPath = '/.well-known/breakwater/verify/answer';
/** Where nodes alone decide on another way. */
export const strict = { external_fallback: 'vendor_down' } as const;

export async function putAccount(edge: TestEdge, account: CaptchaAccountDocument): Promise<DocumentResult> {
  const envelope = makeEnvelope('captcha_account', `${account.account_id}`, edge.nextRevision(), account);
  return (await edge.control<DocumentResult[]>('POST', '/documents', [envelope]))[0]!;
}

export const reasonOf = ({ status, body }: Answer): string | undefined => {
  const { reason } = JSON.parse(body) as { reason?: string };
  return status === 200 ? 'passed' : reason;
};
export const nonceOf = ({ token }: Told): string => token.split('.')[3]!;
/** The page of the node's own work that came in place of a vendor's word. */
export function insteadOf(page: Told, { body }: Answer): Told {
  const { token } = JSON.parse(body) as { token: string };
  return { ...page, token, bits: Number(token.split('.')[2]) };
}

export class CaptchaWorld {
  readonly world: AccessWorld;
  readonly vendor: CaptchaVendorServer;
  accounts = 0;

  constructor(world: AccessWorld, vendor: CaptchaVendorServer) {
    this.world = world;
    this.vendor = vendor;
  }

  static async start(): Promise<CaptchaWorld> {
    const [world, vendor] = await Promise.all([AccessWorld.start(), startCaptchaVendor()]);
    await world.edge.control('PUT', '/pass_keys', { keys: [key] });
    return new CaptchaWorld(world, vendor);
  }

  async close(): Promise<void> {
    await this.vendor.close();
    await this.world.close();
  }

  /** As it is at the beginning of each test. */
  reset(): void {
    Object.assign(this.vendor, {
      verification: {},
      verified: [],
      atOnceMax: 0,
      isBlocked: false,
      score: 0.9,
    });
  }

  /** A site and an account of its own, so no test sees another's failures. */
  async site(
    code: CaptchaProviderCode,
    account: Partial<CaptchaAccountDocument> = {},
    verify: z.input<typeof browserVerifyRule> = {},
  ): Promise<string> {
    this.accounts += 1;
    const result = await putAccount(this.world.edge, this.vendor.account(code, this.accounts, account));
    if (result.error !== undefined) throw new Error(result.error);
    return this.world.site({
      verify: {
        enabled: true,
        kind: 'external',
        difficulty: 8,
        captcha_account_id: this.accounts,
        wrong_answers_max: 1000,
        ...verify,
      },
    });
  }

  get(host: string, options: CallOptions = {}): Promise<Answer> {
    return this.world.edge.get(host, '/', { ...options, headers: { ...headers, ...options.headers } });
  }

  send(host: string, token: string, answer: string, options: CallOptions = {}): Promise<Answer> {
    return this.world.edge.get(host, answerPath, {
      method: 'POST',
      ...options,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
      body: new URLSearchParams({ token, answer }).toString(),
    });
  }

  /** Whether the pass that came with an answer lets in. */
  async isIn(host: string, answer: Answer): Promise<boolean> {
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return (await this.get(host, { headers: { cookie } })).status === 200;
  }

  /** A page, and a token that its vendor gave out for it. */
  async solved(host: string, code: CaptchaProviderCode, more: object = {}) {
    const page = told(await this.get(host));
    const issued = { hostname: host, action: 'breakwater', cdata: nonceOf(page), ...more };
    return { page, answer: `vendor:${this.vendor.issue(code, issued)}` };
  }
}
