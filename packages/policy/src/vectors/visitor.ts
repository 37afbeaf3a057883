import { preferredLanguage } from '../http/accept-language.ts';
import { fewerForwards } from '../http/fields.ts';
import type { RealIp } from '@breakwater/contract/site-config/real-ip';
import { addressLinkPath, addressLinkText, parseAddressLink } from '../address/address-link.ts';
import { traceAddress } from '../address/address-trace.ts';
import { isInSet, packAddresses } from '../address/address-set.ts';
import {
  chooseAddress,
  prepareAddressRule,
  type IsListed,
  type SeenRequest,
} from '../address/client-address.ts';
import { headLimitsOf, headProblem, type HeadLimits } from '../http/header-limits.ts';
import {
  formatAddress,
  isInNetwork,
  isTextIn,
  parseAddress,
  parseNetwork,
  parseNetworks,
  visitorKey,
} from '../address/ip.ts';
import { isPageOffline, offlinePagesOf } from '../site/offline-pages.ts';
import { rateOf, reserve, retryAfterSeconds } from '../access/rate.ts';

/** The vectors of whose request it is, and how many there may be. */
export function runVisitorVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'accept-language')
    return { preferred: preferredLanguage(input.field as string, input.offered as string[]) };
  if (decision === 'max-forwards') return { next: fewerForwards(input.field as string) ?? 'none' };
  if (decision === 'ip') return ip(input as never);
  if (decision === 'network')
    return { inside: isTextIn(input.address as string, parseNetworks(input.networks as string[])) };
  if (decision === 'client-address') return clientAddress(input as never);
  if (decision === 'address-trace') return addressTrace(input as never);
  if (decision === 'address-link') return addressLink(input as never);
  if (decision === 'rate') return rate(input as never);
  if (decision === 'head-limits') return headLimits(input as never);
  if (decision === 'offline-page') return offlinePage(input as never);
  return undefined;
}

function offlinePage(input: { pages: string[]; host: string; target: string }): unknown {
  const pages = offlinePagesOf(input.pages);
  return { offline: pages !== undefined && isPageOffline(pages, input.host, input.target) };
}

function headLimits(input: { limits: HeadLimits; target: string; lines: number[] }): unknown {
  const limits = headLimitsOf(input.limits);
  return {
    problem: limits === undefined ? 'off' : (headProblem(limits, input.target, input.lines) ?? 'none'),
  };
}

function ip(input: { text: string; network?: string }): unknown {
  const address = parseAddress(input.text);
  if (address === undefined) return { address: 'none' };
  const shown = { address: formatAddress(address), visitor: visitorKey(address) };
  if (input.network === undefined) return shown;
  const network = parseNetwork(input.network);
  return { ...shown, inside: network === undefined ? 'none' : `${isInNetwork(address, network)}` };
}

interface AddressInput {
  rule: RealIp;
  seen: SeenRequest;
  /** Entries of lists of addresses, by id. */
  lists?: Record<string, string[]>;
}

function clientAddress({ rule, seen, lists }: AddressInput): unknown {
  return chooseAddress(prepareAddressRule(rule, listedIn(lists)), seen);
}

const listedIn =
  (lists: AddressInput['lists']): IsListed =>
  (list, address) =>
    isInSet(address, packAddresses(lists?.[`${list}`] ?? []));

/** Each field as `name outcome: entry verdict, …`. */
function addressTrace({ rule, seen, lists }: AddressInput): unknown {
  const { trust, fields, chosen } = traceAddress(rule, seen, listedIn(lists));
  const lines: string[] = [];
  for (const { field, outcome, entries } of fields) {
    const parts: string[] = [];
    for (const { text, verdict } of entries) parts.push(`${text} ${verdict}`);
    lines.push(`${field} ${outcome}: ${parts.join(', ')}`);
  }
  return { trust, fields: lines.join('; '), address: chosen.address, reason: chosen.reason };
}

function addressLink(input: { path: string }): unknown {
  const link = parseAddressLink(input.path);
  if (link === undefined) return { link: 'none' };
  return { path: addressLinkPath(link), signed: addressLinkText('7', link.expires) };
}

/** Requests at these times, in seconds: whether each is allowed, else after how many seconds to come again. */
function rate(input: { requests: number; period: number; burst: number; times: number[] }): unknown {
  const limit = rateOf(input.requests, input.period, input.burst);
  let counter = 0;
  let answers = '';
  for (const time of input.times) {
    const { allowed, next, wait } = reserve(limit, counter, time * 1_000_000);
    counter = next;
    answers += allowed ? ' ok' : ` ${retryAfterSeconds(wait)}`;
  }
  return { answers };
}
