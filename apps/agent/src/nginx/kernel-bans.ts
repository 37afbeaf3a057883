import { spawn } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { banDocument, banSettingDocument, type NodeState } from '@breakwater/contract';
import { formatAddress, isInNetwork, parseNetwork, type Network } from '@breakwater/policy/address/ip';
import type { Logger } from 'pino';
import { Wake } from '../delivery/wake.ts';
import { replaceFile } from '../durable-file.ts';

export interface KernelBansOptions {
  /** Says that there may be a table from before. */
  path: string;
  /** Ports of sites: no others are touched, so that neither ssh nor the control plane is ever locked out. */
  ports: () => readonly number[];
  /** Addresses of this node and of its control plane. */
  ours: () => readonly string[];
  logger: Logger;
  /** How nft is called. */
  command?: readonly string[];
}

export type KernelState = NonNullable<NodeState['bans']>['kernel'];

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
  #never: string[] = [];
  #state: KernelState = 'off';

  constructor(options: KernelBansOptions) {
    this.#options = options;
  }

  get state(): KernelState {
    return this.#state;
  }

  track(document: string, body: string | undefined): void {
    const [kind] = document.split('/');
    if (kind === 'ban_setting') this.#never = body === undefined ? [] : rangesOf(body);
    else if (kind !== 'ban') return;
    else {
      const asked = body?.includes('"kernel":true') ? kernelBansOf(body) : [];
      if (asked.length === 0 && !this.#bans.has(document)) return;
      if (asked.length === 0) this.#bans.delete(document);
      else this.#bans.set(document, asked);
    }
    this.#wake.call();
  }

  /** Runs until the signal aborts; the table outlives the agent, as nginx does. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#sync();
      await this.#wake.wait(signal, this.#bans.size > 0 ? syncMilliseconds : undefined);
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
    const script = standing.length === 0 ? removal : this.#script(standing, now);
    if (standing.length > 0) await replaceFile(path, '{}');
    const { state, complaint } = await this.#nft(script);
    if (state !== 'on' && state !== this.#state)
      logger.warn({ state, complaint }, 'bans are not in the kernel; nginx refuses them');
    this.#state = standing.length === 0 ? 'off' : state;
    if (standing.length === 0 && state !== 'failed') await rm(path, { force: true });
  }

  #script(standing: readonly KernelBan[], now: number): string {
    const own = this.#options.ours();
    const banned = outermost(standing).map(
      ({ address, until }) => `${address} timeout ${Math.ceil(until - now)}s`,
    );
    const ports = [...new Set(this.#options.ports())].join(', ');
    const set = (name: string, type: string, flags: string, elements: readonly string[]) =>
      `  set ${name} { type ${type}; flags ${flags};${elements.length > 0 ? ` elements = { ${elements.join(', ')} };` : ''} }`;
    const ofFamily = (list: readonly string[], isIpv6: boolean) =>
      list.filter((text) => text.includes(':') === isIpv6);
    const never = [...new Set([...this.#never, ...own])];
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
      `    ip saddr @banned4 meta l4proto { tcp, udp } th dport { ${ports} } drop`,
      `    ip6 saddr @banned6 meta l4proto { tcp, udp } th dport { ${ports} } drop`,
      '  }',
      '}',
    ].join('\n');
  }

  async #nft(script: string): Promise<{ state: KernelState; complaint: string }> {
    if (process.getuid?.() !== 0) return { state: 'no_right', complaint: 'the agent does not run as root' };
    const [program = 'nft', ...leading] = this.#options.command ?? ['nft'];
    const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
    const child = spawn(program, [...leading, '-f', '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, PATH: path },
    });
    const ended = new Promise<number | 'missing'>((resolve) => {
      child.on('error', () => resolve('missing'));
      child.on('close', (code) => resolve(code ?? 1));
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(script);
    const complaint = (await textOf(child.stderr)).slice(0, 1000);
    const code = await ended;
    if (code === 'missing') return { state: 'no_nft', complaint: 'there is no nft' };
    if (code === 0) return { state: 'on', complaint: '' };
    return { state: complaint.includes('Operation not permitted') ? 'no_right' : 'failed', complaint };
  }
}

/** Added first, since what is not there cannot be deleted. */
const removal = `add table inet ${table}\ndelete table inet ${table}`;

function kernelBansOf(body: string): KernelBan[] {
  const { bans } = banDocument.parse(JSON.parse(body));
  return bans.flatMap(({ kernel, address, until }) => (kernel ? [{ address, until }] : []));
}

/** nft takes no two that overlap. */
function outermost(bans: readonly KernelBan[]): KernelBan[] {
  const kept: { ban: KernelBan; network: Network }[] = [];
  const sorted = bans
    .flatMap((ban) => {
      const network = parseNetwork(ban.address);
      return network ? [{ ban, network }] : [];
    })
    .toSorted((one, other) => one.network.bits - other.network.bits || other.ban.until - one.ban.until);
  const seen = new Set<string>();
  for (const each of sorted) {
    if (seen.has(each.ban.address)) continue;
    seen.add(each.ban.address);
    const isInside = kept.some(
      ({ network }) => network.bits < each.network.bits && isInNetwork(each.network.address, network),
    );
    if (!isInside) kept.push(each);
  }
  return kept.map(({ ban }) => ban);
}

/** `first-last`, of the sets in the setting. */
function rangesOf(body: string): string[] {
  const { never } = banSettingDocument.parse(JSON.parse(body));
  return never.flatMap(({ v4, v6 }) => [...unpack(v4, 4), ...unpack(v6, 16)]);
}

function unpack(base64: string, width: number): string[] {
  const bytes = Buffer.from(base64, 'base64');
  const ranges: string[] = [];
  for (let at = 0; at + 2 * width <= bytes.length; at += 2 * width) {
    const first = formatAddress([...bytes.subarray(at, at + width)]);
    const last = formatAddress([...bytes.subarray(at + width, at + 2 * width)]);
    ranges.push(first === last ? first : `${first}-${last}`);
  }
  return ranges;
}
