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
