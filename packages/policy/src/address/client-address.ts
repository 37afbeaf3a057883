import type { RealIp } from '@breakwater/contract/site-config/real-ip';
import { cdnPresets } from './cdn-preset.ts';
import {
  formatAddress,
  isInNetworks,
  parseAddress,
  parseNetworks,
  type Address,
  type Network,
} from './ip.ts';
import { parseDigits, trimOws } from '../lib/text.ts';

/** Whose address a request counts under. Pure, and the same in Node and nginx (see `../README.md`). */

const comma = 44;

/** A site's setting, made ready. */
export interface AddressRule {
  mode: RealIp['mode'];
  /** Fields to look at, in this order; lower case. */
  headers: string[];
  depth: number;
  trusted: Trusted;
}

/** Whose word counts: by network, or by lists of addresses. */
export interface Trusted {
  networks: Network[];
  lists: number[];
  isListed: IsListed;
}

export type IsListed = (this: void, list: number, address: Address) => boolean;

/** What a node sees of a request. Lines of one field are joined by commas, in their order (RFC 9110 §5.3). */
export interface SeenRequest {
  socket: string;
  /** The source address in the PROXY protocol, where the port speaks it. */
  proxied?: string;
  headers: Record<string, string>;
}

/**
 * Why this address: the socket's is asked for (`socket`), or is all there is because the peer is not trusted, or because no
 * field holds an address, or one holds what is none, or the list is shorter than the depth, or the connection came
 * without the PROXY protocol. Otherwise where it was found.
 */
export type AddressReason =
  | 'socket'
  | 'untrusted_peer'
  | 'no_field'
  | 'bad_field'
  | 'short_list'
  | 'no_proxy_protocol'
  | 'field'
  | 'proxy_protocol';

export interface ClientAddress {
  address: string;
  reason: AddressReason;
  /** The field that decided or could not be read. */
  field?: string;
}

/** Without `isListed` nobody is in any list. */
export function prepareAddressRule(config: RealIp, isListed: IsListed = isNobody): AddressRule {
  const { mode, depth } = config;
  const preset = mode === 'cdn' ? cdnPresets[config.preset] : undefined;
  const headers: string[] = [];
  if (mode === 'header') for (const name of config.headers) headers.push(name.toLowerCase());
  if (mode === 'xff') headers.push('x-forwarded-for');
  if (preset !== undefined) headers.push(preset.header);
  const networks = parseNetworks(config.trusted);
  // Documents of before there were such lists name none.
  const lists = (config.address_lists as number[] | undefined) ?? [];
  if (preset !== undefined && lists.length === 0)
    for (const network of parseNetworks(preset.networks)) networks.push(network);
  return { mode, headers, depth, trusted: { networks, lists, isListed } };
}

const isNobody = (): boolean => false;

export function isTrusted(address: Address, { networks, lists, isListed }: Trusted): boolean {
  if (isInNetworks(address, networks)) return true;
  for (const list of lists) if (isListed(list, address)) return true;
  return false;
}

export function chooseAddress(rule: AddressRule, seen: SeenRequest): ClientAddress {
  if (rule.mode === 'socket') return ofSocket(seen, 'socket');
  const peer = parseAddress(seen.socket);
  if (peer === undefined || !isTrusted(peer, rule.trusted)) return ofSocket(seen, 'untrusted_peer');
  if (rule.mode === 'proxy_protocol') return ofProxyProtocol(seen);
  let refused: ClientAddress | undefined;
  for (const field of rule.headers) {
    const list = seen.headers[field];
    if (list === undefined || trimOws(list).length === 0) continue;
    const found = rule.mode === 'xff' ? atDepth(list, rule.depth) : lastUntrusted(list, rule.trusted);
    if (found.address !== undefined) return { address: formatAddress(found.address), reason: 'field', field };
    refused ??= { address: spelled(seen.socket), reason: found.problem ?? 'bad_field', field };
  }
  return refused ?? ofSocket(seen, 'no_field');
}

interface Found {
  address?: Address;
  problem?: AddressReason;
}

/**
 * Each proxy adds the address it was called from at the end, so only what trusted ones added can be believed: from the
 * end, past the trusted addresses, the first that is not trusted. All trusted: the first of the list.
 */
function lastUntrusted(list: string, trusted: Trusted): Found {
  let end = list.length;
  let last: Address | undefined;
  while (end >= 0) {
    const start = startOfEntry(list, end);
    const address = parseEntry(list.substring(start, end));
    if (address === undefined) return { problem: 'bad_field' };
    last = address;
    if (!isTrusted(address, trusted)) break;
    end = start - 1;
  }
  return last === undefined ? { problem: 'bad_field' } : { address: last };
}

/** The address at a place counted from the end; 1 is the last. */
function atDepth(list: string, depth: number): Found {
  let end = list.length;
  for (let place = 1; end >= 0; place++) {
    const start = startOfEntry(list, end);
    if (place === depth) {
      const address = parseEntry(list.substring(start, end));
      return address === undefined ? { problem: 'bad_field' } : { address };
    }
    end = start - 1;
  }
  return { problem: 'short_list' };
}

export function startOfEntry(list: string, end: number): number {
  let start = end;
  while (start > 0 && list.charCodeAt(start - 1) !== comma) start -= 1;
  return start;
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`. */
export function parseEntry(entry: string): Address | undefined {
  const text = trimOws(entry);
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    if (close < 0 || !isPortOrNothing(text.substring(close + 1))) return undefined;
    const inside = text.substring(1, close);
    return inside.indexOf(':') < 0 ? undefined : parseAddress(inside);
  }
  const colon = text.indexOf(':');
  if (colon < 0 || text.indexOf(':', colon + 1) >= 0) return parseAddress(text);
  return isPortOrNothing(text.substring(colon)) ? parseAddress(text.substring(0, colon)) : undefined;
}

function isPortOrNothing(text: string): boolean {
  if (text.length === 0) return true;
  if (text.length > 6 || !text.startsWith(':')) return false;
  return parseDigits(text.substring(1)) !== undefined;
}

function ofProxyProtocol(seen: SeenRequest): ClientAddress {
  const address = seen.proxied === undefined ? undefined : parseAddress(seen.proxied);
  if (address === undefined) return ofSocket(seen, 'no_proxy_protocol');
  return { address: formatAddress(address), reason: 'proxy_protocol' };
}

function ofSocket(seen: SeenRequest, reason: AddressReason): ClientAddress {
  return { address: spelled(seen.socket), reason };
}

function spelled(socket: string): string {
  const address = parseAddress(socket);
  return address === undefined ? socket : formatAddress(address);
}
