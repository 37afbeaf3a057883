import type { RealIp } from '@breakwater/contract/site-config/real-ip';
import {
  chooseAddress,
  isTrusted,
  parseEntry,
  prepareAddressRule,
  startOfEntry,
  type ClientAddress,
  type IsListed,
  type SeenRequest,
  type Trusted,
} from './client-address.ts';
import { isTextIn, parseAddress, parseNetworks } from './ip.ts';
import { trimOws } from '../lib/text.ts';

/** How the address of a visitor was found, step by step: for people, after `chooseAddress` has decided. */

/**
 * Of one entry in a list: `chosen`; `passed`, since a trusted proxy has that address; `counted` on the way to the place
 * that is wanted; `bad`, no address; `unread`, further to the left than was looked.
 */
export type EntryVerdict = 'chosen' | 'passed' | 'counted' | 'bad' | 'unread';

export interface TracedEntry {
  text: string;
  verdict: EntryVerdict;
}

/** `unread`: another field had decided before. */
export type FieldOutcome = 'used' | 'absent' | 'bad_field' | 'short_list' | 'unread';

export interface TracedField {
  field: string;
  outcome: FieldOutcome;
  /** In the order in which they are read: from the end. */
  entries: TracedEntry[];
}

/**
 * Who says that the peer is trusted: the site's own entries, a list of addresses, the preset's networks, or nobody; `unasked` where
 * the socket counts anyway.
 */
export type PeerTrust = 'listed' | 'address_list' | 'preset' | 'untrusted' | 'unasked';

export interface AddressTrace {
  trust: PeerTrust;
  fields: TracedField[];
  chosen: ClientAddress;
}

/** What lies to the left of the decision is shown up to this many. */
const entriesMax = 50;

export function traceAddress(config: RealIp, seen: SeenRequest, isListed?: IsListed): AddressTrace {
  const rule = prepareAddressRule(config, isListed);
  const chosen = chooseAddress(rule, seen);
  const trust = trustIn(config, rule.trusted, seen.socket);
  const fields: TracedField[] = [];
  if (trust !== 'untrusted' && trust !== 'unasked') {
    let isOver = false;
    for (const field of rule.headers) {
      const traced: TracedField = isOver
        ? unread(field)
        : traceField(config, rule.trusted, field, seen.headers[field]);
      isOver = isOver || traced.outcome === 'used';
      fields.push(traced);
    }
  }
  return { trust, fields, chosen };
}

function trustIn(config: RealIp, trusted: Trusted, socket: string): PeerTrust {
  if (config.mode === 'socket') return 'unasked';
  if (isTextIn(socket, parseNetworks(config.trusted))) return 'listed';
  const address = parseAddress(socket);
  if (address === undefined || !isTrusted(address, trusted)) return 'untrusted';
  return trusted.lists.length > 0 ? 'address_list' : 'preset';
}

function unread(field: string): TracedField {
  return { field, outcome: 'unread', entries: [] };
}

function traceField(config: RealIp, trusted: Trusted, field: string, list: string | undefined): TracedField {
  if (list === undefined || trimOws(list).length === 0) return { field, outcome: 'absent', entries: [] };
  const entries: TracedEntry[] = [];
  const depth = config.mode === 'xff' ? config.depth : 0;
  let outcome: FieldOutcome | undefined;
  let end = list.length;
  while (end >= 0 && (outcome === undefined || entries.length < entriesMax)) {
    const start = startOfEntry(list, end);
    const text = trimOws(list.substring(start, end));
    const isLast = start === 0;
    const verdict: EntryVerdict =
      outcome === undefined ? verdictOn(text, depth, entries.length + 1, isLast, trusted) : 'unread';
    entries.push({ text, verdict });
    if (verdict === 'chosen') outcome = 'used';
    if (verdict === 'bad') outcome = 'bad_field';
    end = start - 1;
  }
  return { field, outcome: outcome ?? 'short_list', entries };
}

function verdictOn(
  text: string,
  depth: number,
  place: number,
  isLast: boolean,
  trusted: Trusted,
): EntryVerdict {
  if (place < depth) return 'counted';
  const address = parseEntry(text);
  if (address === undefined) return 'bad';
  if (depth > 0 || isLast) return 'chosen';
  return isTrusted(address, trusted) ? 'passed' : 'chosen';
}
