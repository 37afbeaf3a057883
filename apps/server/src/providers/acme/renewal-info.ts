import * as z from 'zod';
import { retryAtOf } from '../call-http.ts';
import type { AcmeSession } from './acme-session.ts';

const shape = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
  explanationURL: z.string().max(500).optional(),
});

export interface RenewalInfo {
  start: Date;
  end: Date;
  /** Why it is to be renewed early, where the authority says so. */
  explanationUrl: string;
  /** When to ask again. */
  nextAt: Date;
}

const hour = 3_600_000;
/** RFC 9773 §4.3.2: between a minute and a day, whatever the authority says. */
const nextMin = 60_000;
const nextMax = 24 * hour;

/** When an authority wants a certificate renewed (RFC 9773); undefined where it does not say. */
export async function readRenewalInfo(
  session: AcmeSession,
  renewalId: string,
  now = Date.now(),
): Promise<RenewalInfo | undefined> {
  const { renewalInfo } = await session.directory();
  if (renewalInfo === undefined) return undefined;
  const { json, headers } = await session.get(`${renewalInfo.replace(/\/$/, '')}/${renewalId}`);
  const read = shape.safeParse(json);
  if (!read.success) return undefined;
  const { start, end } = read.data.suggestedWindow;
  if (Date.parse(end) <= Date.parse(start)) return undefined;
  const wanted = retryAtOf(headers['retry-after'], now)?.getTime() ?? now + 6 * hour;
  return {
    start: new Date(start),
    end: new Date(end),
    explanationUrl: read.data.explanationURL ?? '',
    nextAt: new Date(Math.min(Math.max(wanted, now + nextMin), now + nextMax)),
  };
}
