import { access, rm } from 'node:fs/promises';
import { banDocument, banSettingDocument, type KernelState } from '@breakwater/contract';
import { banNames } from '@breakwater/policy/protect/bans';
import type { Logger } from 'pino';
import { Wake } from '../delivery/wake.ts';
import { replaceFile } from '../durable-file.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { callNft } from './nft.ts';
import { unpackRanges } from './packed-ranges.ts';
import { TrustedProxies } from './trusted-proxies.ts';

export interface KernelBansOptions {
  /** Says that there may be a table from before. */
  path: string;
  /** Ports of sites: no others are touched, so that neither ssh nor the control plane is ever locked out. */
  ports: () => readonly number[];
  /** Addresses of this node and of its control plane. */
  ours: () => readonly string[];
  /** Proven addresses of search engines' bots. */
  robots: () => readonly string[];
  /** The document of an address list that is in service. */
  listBody: (id: number) => Promise<string | undefined>;
  logger: Logger;
  /** How nft is called. */
  command?: readonly string[];
  /** Told of whom no ban is for: neither is it for them. */
  connections?: Pick<ConnectionLimit, 'isWanted' | 'keep'>;
}

interface KernelBan {
  address: string;
  until: number;
}

const table = 'breakwater_bans';
/** One that lay in a larger network of a shorter time is put in when that has ended. */
const syncMilliseconds = 60_000;

/**
 * Bans that ask for it are dropped by the kernel: by a table of nftables that is this agent's alone, replaced as a whole in one
 * transaction, whose entries end by themselves. Where this agent may not do that, it says so, and nginx refuses as ever.
 */
export class KernelBans {
  readonly #options: KernelBansOptions;
  readonly #wake = new Wake();
  /** By document. */
  readonly #bans = new Map<string, KernelBan[]>();
  readonly #trusted: TrustedProxies;
  #never: string[] = [];
  #neverRobots = true;
  #state: KernelState = 'off';

  constructor(options: KernelBansOptions) {
    this.#options = options;
    this.#trusted = new TrustedProxies(options.listBody);
  }

  get state(): KernelState {
    return this.#state;
  }

  track(document: string, body: string | undefined): void {
    const [kind] = document.split('/');
    if (kind === 'ban_setting') this.#trackSetting(body);
    else if (kind === 'ban') {
      if (!keepList(this.#bans, document, body?.includes('"kernel":true') ? kernelBansOf(body) : [])) return;
    } else if (!this.#trusted.track(document, body)) return;
    this.#wake.call();
  }

  #trackSetting(body: string | undefined): void {
    const setting = body === undefined ? undefined : banSettingDocument.parse(JSON.parse(body));
    const ranges = setting?.never.flatMap(({ v4, v6 }) => [...unpackRanges(v4, 4), ...unpackRanges(v6, 16)]);
    this.#never = ranges?.map(({ text }) => text) ?? [];
    this.#neverRobots = setting?.never_robots ?? true;
  }

  /** Runs until the signal aborts; the table outlives the agent, as nginx does. */
  async run(signal: AbortSignal): Promise<void> {
    const { connections } = this.#options;
    while (!signal.aborted) {
      await connections?.keep(connections.isWanted ? await this.#exempt() : []);
      await this.#sync();
      const isSynced = this.#bans.size > 0 || connections?.isWanted === true;
      await this.#wake.wait(signal, isSynced ? syncMilliseconds : undefined);
    }
  }

  async #sync(): Promise<void> {
    const { path, logger } = this.#options;
    const now = Date.now() / 1000;
    const standing = [...this.#bans.values()].flat().filter(({ until }) => until > now + 1);
    const wasThere = await access(path).then(
      () => true,
      () => false,
    );
    if (standing.length === 0 && !wasThere) {
      this.#state = 'off';
      return;
    }
    const script = standing.length === 0 ? removal : this.#script(standing, await this.#exempt(), now);
    if (standing.length > 0) await replaceFile(path, '{}');
    const { state, complaint } = await callNft(this.#options.command, ['-f', '-'], { script });
    if (state !== 'on' && state !== this.#state)
      logger.warn({ state, complaint }, 'bans are not in the kernel; nginx refuses them');
    this.#state = standing.length === 0 ? 'off' : state;
    if (standing.length === 0 && state !== 'failed') await rm(path, { force: true });
  }

  /** Addresses and networks. */
  async #exempt(): Promise<string[]> {
    const { ours, robots } = this.#options;
    const trusted = await this.#trusted.networks();
    return [...new Set([...this.#never, ...trusted, ...ours(), ...(this.#neverRobots ? robots() : [])])];
  }

  #script(standing: readonly KernelBan[], never: readonly string[], now: number): string {
    const banned = outermost(standing).map(
      ({ address, until }) => `${address} timeout ${Math.ceil(until - now)}s`,
    );
    const guarded = `meta l4proto { tcp, udp } th dport { ${[...new Set(this.#options.ports())].join(', ')} }`;
    const set = (name: string, type: string, flags: string, elements: readonly string[]) =>
      `  set ${name} { type ${type}; flags ${flags};${elements.length > 0 ? ` elements = { ${elements.join(', ')} };` : ''} }`;
    const ofFamily = (list: readonly string[], isIpv6: boolean) =>
      list.filter((text) => text.includes(':') === isIpv6);
    return [
      removal,
      `table inet ${table} {`,
      set('never4', 'ipv4_addr', 'interval; auto-merge', ofFamily(never, false)),
      set('never6', 'ipv6_addr', 'interval; auto-merge', ofFamily(never, true)),
      set('banned4', 'ipv4_addr', 'interval, timeout', ofFamily(banned, false)),
      set('banned6', 'ipv6_addr', 'interval, timeout', ofFamily(banned, true)),
      '  chain input {',
      '    type filter hook input priority -150; policy accept;',
      '    ip saddr @never4 accept',
      '    ip6 saddr @never6 accept',
      `    ip saddr @banned4 ${guarded} drop`,
      `    ip6 saddr @banned6 ${guarded} drop`,
      '  }',
      '}',
    ].join('\n');
  }
}

/** Added first, since what is not there cannot be deleted. */
const removal = `add table inet ${table}\ndelete table inet ${table}`;

function kernelBansOf(body: string): KernelBan[] {
  const { bans } = banDocument.parse(JSON.parse(body));
  return bans.flatMap(({ kernel, address, until }) => (kernel ? [{ address, until }] : []));
}

/** nft takes no two that overlap. Networks have few lengths, so those around one are looked up. */
function outermost(bans: readonly KernelBan[]): KernelBan[] {
  const latest = new Map<string, KernelBan>();
  for (const ban of bans) if (ban.until > (latest.get(ban.address)?.until ?? 0)) latest.set(ban.address, ban);
  return [...latest.values()].filter(({ address }) => {
    const names = banNames(address.replace(/\/.*/, ''));
    const own = names.indexOf(address);
    return own >= 0 && !names.slice(own + 1).some((around) => latest.has(around));
  });
}

/** False where there is nothing and was nothing. */
function keepList<T>(lists: Map<string, T[]>, document: string, list: T[]): boolean {
  if (list.length > 0) lists.set(document, list);
  else return lists.delete(document);
  return true;
}
