import * as z from 'zod';

/**
 * What packets that come to an address are told apart by, each by the first that fits: `syn` asks for a TCP connection; `tcp`, the
 * rest of TCP; `reflected`, UDP from a port whose servers are abused to send more than they were asked for (DNS, NTP, memcached …);
 * `udp`, the rest of it (HTTP/3 is that too); `icmp`; `other` protocols.
 */
export const packetKinds = ['syn', 'tcp', 'reflected', 'udp', 'icmp', 'other'] as const;
export type PacketKind = (typeof packetKinds)[number];

const rate = z.number().min(0).max(1e15).default(0);

/** What came to one address of a node, a second, in the mean of the seconds before its report. */
export const addressTraffic = z.object({
  address: z.union([z.ipv4(), z.ipv6()]),
  /** Bytes of IP packets. */
  bytes: rate,
  packets: z.object({ syn: rate, tcp: rate, reflected: rate, udp: rate, icmp: rate, other: rate }),
});
export type AddressTraffic = z.infer<typeof addressTraffic>;

/** Of a node with more addresses, those with the most packets. */
export const addressesToldMax = 32;

/** What the kernel does for a node, through nftables: `off` while nobody asks for it, else why not. */
export const kernelState = z.enum(['off', 'on', 'no_nft', 'no_right', 'failed']);
export type KernelState = z.infer<typeof kernelState>;
