import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { callVendor, type Vendor } from './call-vendor.ts';
import type { Reach } from './reach.ts';

/** Calls of an address of the operator's own. The protocol is ours, whatever is asked for: `docs/dns-accounts.md`. */
export type CustomCall = (action: string, fields: object) => Promise<unknown>;

const fault = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** What its errors mean, whatever is asked for. */
export const customIssues = {
  bad_signature: 'provider_key',
  forbidden: 'provider_forbidden',
  rate_limited: 'provider_limited',
  unavailable: 'provider_down',
} as const satisfies Vendor['issues'];

const signatureOf = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update([timestamp, nonce, body].join('\n')).digest('hex');

export function customCalls(
  { url, secret = '' }: { url: string; secret?: string | undefined },
  reach: Reach,
  issues: Vendor['issues'],
): CustomCall {
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ json }) => fault.safeParse(json).data?.error,
    issues,
  };
  return async (action, fields) => {
    const body = JSON.stringify({ action, ...fields });
    const { json } = await callVendor(vendor, () => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = randomBytes(16).toString('hex');
      return {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'x-breakwater-timestamp': timestamp,
          'x-breakwater-nonce': nonce,
          'x-breakwater-signature': signatureOf(secret, timestamp, nonce, body),
        },
        body,
      };
    });
    return json;
  };
}
