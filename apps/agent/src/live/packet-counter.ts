import { performance } from 'node:perf_hooks';
import {
  addressesToldMax,
  packetKinds,
  type AddressTraffic,
  type KernelState,
  type PacketKind,
} from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { callNft, type NftAnswer } from '../nginx/nft.ts';

export interface PacketCounterOptions {
  /** Addresses of this machine, as text. */
  addresses: () => readonly string[];
  logger: Logger;
  /** How nft is called. */
  command?: readonly string[];
}

const table = 'breakwater_traffic';
/** A node that is silent for longer than 20 seconds counts as away. */
const timeoutMilliseconds = 3000;

/**
 * UDP services that answer more than they are asked, to whoever the question says it is from: chargen, QOTD, DNS, TFTP, portmap, NTP,
 * NetBIOS, SNMP, LDAP, RIP, IPMI, SSDP, WS-Discovery, CoAP, memcached and others (CISA alert TA14-017A).
 */
const reflectors = [
  17, 19, 53, 69, 111, 123, 137, 161, 389, 427, 520, 623, 1900, 3283, 3702, 5093, 5353, 5683, 10001, 11211,
  37810,
];

/** What makes a packet be of a kind, in the language of nft; `other` is what is left. */
const conditions: Record<PacketKind, string> = {
  syn: 'tcp flags & (fin | syn | rst | ack) == syn',
  tcp: 'meta l4proto tcp',
  reflected: `udp sport { ${reflectors.join(', ')} }`,
  udp: 'meta l4proto udp',
  icmp: 'meta l4proto { icmp, icmpv6 }',
  other: '',
};

interface Count {
  packets: number;
  bytes: number;
}
type Counts = Map<string, Record<PacketKind, Count>>;
interface Reading {
  at: number;
  counts: Counts;
}

/**
 * Counts the packets that come from other machines to each address of this one, by what they are, before any rule drops them: in
 * a table of nftables that is this agent's alone. Where it may not do that, it says so, and tells nothing.
 */
export class PacketCounter {
  readonly #options: PacketCounterOptions;
  #state: KernelState = 'off';
  #isWanted: boolean | undefined;
  /** For which addresses the table was made; empty while there is none. */
  #counted = '';
  #last: Reading | undefined;

  constructor(options: PacketCounterOptions) {
    this.#options = options;
  }

  get state(): KernelState {
    return this.#state;
  }

  /** As the control plane wants it; nothing is done before it said so. */
  async order(isWanted: boolean): Promise<void> {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    if (!isWanted) await this.remove();
  }

  /** Takes the table away, also one that an agent before left. */
  async remove(): Promise<void> {
    this.#counted = '';
    this.#last = undefined;
    this.#state = 'off';
    if (this.#isWanted === undefined) return;
    await this.#nft(['-f', '-'], removal);
  }

  /**
   * What came to each address a second, since the last time that this was asked; undefined the first time, and where it is not
   * counted. It never fails, and takes some seconds at most: the node's report waits for it.
   */
  async read(): Promise<AddressTraffic[] | undefined> {
    if (this.#isWanted !== true) return undefined;
    const addresses = [...new Set(this.#options.addresses())].toSorted();
    const key = addresses.join(' ');
    const reading = this.#counted === key ? await this.#list() : undefined;
    // Addresses have come or gone, or somebody has emptied the rules.
    if (reading === undefined || !('counts' in reading)) return this.#install(addresses, key);
    return this.#since(reading);
  }

  async #install(addresses: readonly string[], key: string): Promise<undefined> {
    const { logger } = this.#options;
    const made = await this.#nft(['-f', '-'], scriptOf(addresses));
    const found = made.state === 'on' ? await this.#list() : made;
    this.#last = 'counts' in found ? found : undefined;
    this.#counted = 'counts' in found ? key : '';
    const { state, complaint } = 'counts' in found ? made : found;
    if (state !== 'on' && state !== this.#state)
      logger.warn({ state, complaint }, 'packets are not counted by address');
    this.#state = state;
  }

  async #list(): Promise<Reading | Pick<NftAnswer, 'state' | 'complaint'>> {
    const answer = await this.#nft(['-j', 'list', 'table', 'inet', table]);
    if (answer.state !== 'on') return answer;
    const counts = countsOf(answer.output);
    // There are builds of nft that list no JSON, and some that leave out the counts.
    if (counts === undefined) return { state: 'failed', complaint: 'nft lists no counts' };
    return { at: performance.now(), counts };
  }

  #nft(given: readonly string[], script = ''): Promise<NftAnswer> {
    return callNft(this.#options.command, given, { script, timeoutMilliseconds });
  }

  #since(now: Reading): AddressTraffic[] | undefined {
    const last = this.#last;
    this.#last = now;
    const seconds = last === undefined ? 0 : (now.at - last.at) / 1000;
    if (last === undefined || seconds <= 0) return undefined;
    const all = [...now.counts].map(([address, counts]) => {
      const before = last.counts.get(address);
      const since = (kind: PacketKind, what: keyof Count) =>
        (counts[kind][what] - (before?.[kind][what] ?? 0)) / seconds;
      const packets = Object.fromEntries(packetKinds.map((kind) => [kind, since(kind, 'packets')]));
      const bytes = packetKinds.reduce((sum, kind) => sum + since(kind, 'bytes'), 0);
      return { address, bytes, packets: packets as AddressTraffic['packets'] };
    });
    const rates = all.flatMap(({ bytes, packets }) => [bytes, ...Object.values(packets)]);
    // Another agent of this machine has made the table anew.
    if (rates.some((rate) => rate < 0)) return undefined;
    return all.toSorted((a, b) => totalOf(b) - totalOf(a)).slice(0, addressesToldMax);
  }
}

const totalOf = ({ packets }: AddressTraffic): number =>
  packetKinds.reduce((sum, kind) => sum + packets[kind], 0);

/** Added first, since what is not there cannot be deleted. */
const removal = `add table inet ${table}\ndelete table inet ${table}\n`;

const families = [
  { suffix: '4', type: 'ipv4_addr', field: 'ip daddr', isOf: (address: string) => !address.includes(':') },
  { suffix: '6', type: 'ipv6_addr', field: 'ip6 daddr', isOf: (address: string) => address.includes(':') },
];

/** Each packet is looked up once, in the set of its kind, and counted with the address there. */
function scriptOf(addresses: readonly string[]): string {
  const sets = packetKinds.flatMap((kind) =>
    families.map(({ suffix, type, isOf }) => {
      const own = addresses.filter(isOf);
      const elements = own.length > 0 ? ` elements = { ${own.join(', ')} };` : '';
      return `  set ${kind}${suffix} { type ${type}; counter;${elements} }`;
    }),
  );
  const rules = packetKinds.flatMap((kind) =>
    families.map(({ suffix, field }) => `    ${conditions[kind]} ${field} @${kind}${suffix} accept`),
  );
  return [
    `${removal}table inet ${table} {`,
    ...sets,
    '  chain count {',
    // Before connections are tracked and before bans drop.
    '    type filter hook prerouting priority -300; policy accept;',
    '    iifname "lo" accept',
    ...rules,
    '  }',
    '}',
  ].join('\n');
}

/** What `nft -j list table` tells (libnftables-json(5)), of which sets are of interest. */
const listed = z.object({
  nftables: z.array(
    z.object({
      set: z
        .object({
          name: z.string(),
          elem: z
            .array(
              z.object({
                elem: z.object({
                  val: z.string(),
                  counter: z.object({ packets: z.number(), bytes: z.number() }),
                }),
              }),
            )
            .default([]),
        })
        .optional(),
    }),
  ),
});

function countsOf(output: string): Counts | undefined {
  const { data } = listed.safeParse(jsonOf(output));
  if (data === undefined) return undefined;
  const counts: Counts = new Map();
  for (const { set } of data.nftables) {
    const kind = packetKinds.find((each) => set?.name.startsWith(each));
    if (!set || !kind) continue;
    for (const { elem } of set.elem) {
      const of = counts.get(elem.val) ?? zero();
      of[kind] = elem.counter;
      counts.set(elem.val, of);
    }
  }
  return counts;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const zero = () =>
  Object.fromEntries(packetKinds.map((kind) => [kind, { packets: 0, bytes: 0 }])) as Record<
    PacketKind,
    Count
  >;
