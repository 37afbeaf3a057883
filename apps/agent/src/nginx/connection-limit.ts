import { readFile, rm } from 'node:fs/promises';
import type { KernelState } from '@breakwater/contract';
import type { Logger } from 'pino';
import { replaceFile } from '../durable-file.ts';
import { callNft } from './nft.ts';

export interface ConnectionLimitOptions {
  /** How many an address may have open; of IPv6 its /64. Absent: any. */
  max: number | undefined;
  /** Says that there may be a table from before, and of which limit. */
  path: string;
  ports: () => readonly number[];
  logger: Logger;
  /** How nft is called. */
  command?: readonly string[];
}

const table = 'breakwater_connections';

/**
 * How many connections an address may have open to the ports of sites, those that ask for nothing among them: nginx counts requests
 * alone. The kernel counts (conntrack), in a table of nftables that is this agent's, and answers the next one with a reset. The
 * table outlives the agent, as nginx does, and so do its counts.
 */
export class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;

  #state: KernelState = 'off';

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  get isWanted(): boolean {
    return this.#options.max !== undefined;
  }

  /** `never`: whose connections are not counted. It never fails; what goes wrong is in the agent's log. */
  async keep(never: readonly string[]): Promise<void> {
    const { max, path, ports, logger } = this.#options;
    const before = await readFile(path, 'utf8').catch(() => undefined);
    if (max === undefined && before === undefined) return;
    if (max !== undefined) await replaceFile(path, `${max}`);
    // A count that was begun for another limit would go on by that one.
    const isKept = max !== undefined && before === `${max}`;
    const lines = [...(isKept ? [] : [removal]), ...(max === undefined ? [] : rulesOf(max, ports(), never))];
    const { state, complaint } = await callNft(this.#options.command, ['-f', '-'], {
      script: lines.join('\n'),
    });
    if (state !== 'on' && state !== this.#state)
      logger.warn({ state, complaint }, 'connections are not limited by address');
    this.#state = state;
    if (max === undefined && state === 'on') await rm(path, { force: true });
  }
}

/** Added first, since what is not there cannot be deleted. */
const removal = `add table inet ${table}\ndelete table inet ${table}`;

/** Leaves the sets in which is counted as they are, if they are there. */
function rulesOf(max: number, ports: readonly number[], never: readonly string[]): string[] {
  const begun = `tcp dport { ${[...new Set(ports)].join(', ')} } ct state new`;
  const counted = (set: string, address: string) =>
    `add rule inet ${table} input ${begun} add @${set} { ${address} ct count over ${max} } reject with tcp reset`;
  const exempt = ([set, isIpv6]: [string, boolean]) => {
    const elements = never.filter((text) => text.includes(':') === isIpv6);
    const type = isIpv6 ? 'ipv6_addr' : 'ipv4_addr';
    return [
      `add set inet ${table} ${set} { type ${type}; flags interval; auto-merge; }`,
      `flush set inet ${table} ${set}`,
      ...(elements.length > 0 ? [`add element inet ${table} ${set} { ${elements.join(', ')} }`] : []),
    ];
  };
  return [
    `add table inet ${table}`,
    ...exempt(['never4', false]),
    ...exempt(['never6', true]),
    `add set inet ${table} peers4 { type ipv4_addr; size 65535; flags dynamic; }`,
    `add set inet ${table} peers6 { type ipv6_addr; size 65535; flags dynamic; }`,
    `add chain inet ${table} input { type filter hook input priority -140; policy accept; }`,
    `flush chain inet ${table} input`,
    `add rule inet ${table} input ip saddr @never4 accept`,
    `add rule inet ${table} input ip6 saddr @never6 accept`,
    counted('peers4', 'ip saddr'),
    counted('peers6', 'ip6 saddr & ffff:ffff:ffff:ffff::'),
  ];
}
