import * as z from 'zod';

/** Where: at one site, at all sites of a customer, or at all there are. */
export const rejectScopes = ['site', 'client', 'platform'] as const;
export type RejectScope = (typeof rejectScopes)[number];

/** The longest that one stands, by hand or after many repeats. */
export const banSecondsMax = 31_536_000;
export const banSeconds = z.int().min(10).max(banSecondsMax);

/**
 * Lengths of the networks that can be turned away as a whole, as they are handed out. Nodes look each of them up for each
 * request, so they are few; lists of addresses take any other network.
 */
export const banLengths = { v4: [16, 24, 32], v6: [32, 48, 56, 64, 128] } as const;

/** Whether an address or a network by CIDR has one of these lengths. */
export function isNetworkOfBans(text: string): boolean {
  const [address = '', length] = text.split('/');
  const lengths: readonly number[] = address.includes(':') ? banLengths.v6 : banLengths.v4;
  return length === undefined || lengths.includes(Number(length));
}
