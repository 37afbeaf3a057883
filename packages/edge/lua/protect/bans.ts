import type { BanSettingDocument } from '@breakwater/contract/edge-document';
import { isInSet, type AddressSet } from '@breakwater/policy/address/address-set';
import { isTrusted } from '@breakwater/policy/address/client-address';
import { parseAddress } from '@breakwater/policy/address/ip';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import {
  banAgainst,
  banAt,
  banNameOf,
  banNames,
  v4Lengths,
  v6Lengths,
  type BanEntry,
  type BanScope,
} from '@breakwater/policy/protect/bans';
import { decodeJson } from '../lib/json.ts';
import { holding, heldOf, keep } from '@breakwater/policy/lib/holding';
import * as store from '../documents/store.ts';
import { robotOf } from '../front/robots.ts';
import type { Site } from '../site/site.ts';
import { noteMade } from './ban-reports.ts';
import { banText, changeOfBans, isAnyAt, lengthsBefore, putBan } from './ban-store.ts';

/**
 * Whom this node turns away for a time, whatever they ask: the first of all that protects a site. Without any ban a request
 * costs the reading of one number, and with them a look by its address, and by those networks of which there are bans.
 */

/** The page for a visitor who is banned from a site; nothing for all others. */
export function banPage(site: Site): string | undefined {
  const address = ngx.var.client_addr!;
  const found = banOf(site, address);
  if (found === undefined || isNever(site, address)) return undefined;
  ngx.var.edge_decision = found.id === 0 ? 'ban' : `ban ${found.id}`;
  return 'banned';
}

const isIpv6 = (address: string): boolean => string.find(address, ':', 1, true)[0] !== undefined;

/** What stands against an address, whether it is for nobody or not. */
export function banOf({ document }: Site, address: string): BanEntry | undefined {
  const change = changeOfBans();
  if (heldOf(unbanned, address) === change) return undefined;
  const now = ngx.time();
  const ofIpv6 = isIpv6(address);
  const start = ofIpv6 ? lengthsBefore : 0;
  const { site_id: siteId, client_id: clientId } = document;
  let found: BanEntry | undefined;
  let isAnywhere = false;
  const count = ofIpv6 ? v6Lengths.length : v4Lengths.length;
  for (let place = 0; place < count; place++) {
    if (!isAnyAt(start + place, now)) continue;
    // An IPv4 address is spelled in one way only.
    const name = place === 0 && !ofIpv6 ? address : namesOf(address)[place];
    const text = name === undefined ? undefined : banText(name);
    isAnywhere ||= text !== undefined;
    const against = text === undefined ? undefined : banAgainst(text, siteId, clientId, now);
    if (against !== undefined && (found === undefined || against.until > found.until)) found = against;
  }
  if (!isAnywhere) keep(unbanned, address, change);
  return found;
}

/** Addresses that no ban is kept under, each with the number of the last change at that time. */
const unbanned = holding<number>(10_000);

const names = holding<string[]>(2000);

function namesOf(address: string): string[] {
  let known = heldOf(names, address);
  if (known === undefined) {
    known = banNames(address);
    keep(names, address, known);
  }
  return known;
}

/**
 * Turns the visitor of this request away for a time: at once here, and soon at all nodes, for the agent asks for what was made.
 * False: it is for nobody, or the memory for bans is full.
 */
export function ban(
  of: Trusting,
  scope: BanScope,
  seconds: number,
  decision: string,
  kernel = false,
): boolean {
  const variables = ngx.var;
  const address = variables.client_addr!;
  const name = banNameOf(address);
  if (name === undefined || isNever(of, address)) return false;
  const siteId = tonumber(variables.site_id)!;
  const clientId = tonumber(variables.client_id)!;
  const now = ngx.time();
  const target = scope === 'site' ? siteId : scope === 'client' ? clientId : 0;
  const standing = banAt(banText(name) ?? '', scope, target, now);
  // Requests that were under way when the first was banned.
  if (standing !== undefined && standing.until >= now + seconds / 2) return true;
  const isKept = putBan(name, { scope, target, id: 0, until: now + math.ceil(seconds), segment: 0 });
  noteMade({
    scope,
    site_id: siteId,
    client_id: clientId,
    address: name,
    seconds: math.ceil(seconds),
    decision,
    request_id: variables.edge_request_id!,
    kernel,
    made_at: now,
  });
  return isKept;
}

/** A site, or what protects it: whose word on visitors' addresses it takes. */
type Trusting = Pick<Site, 'addressRule'>;

interface Never {
  revision: number | undefined;
  sets: AddressSet[];
  robots: boolean;
  privates: boolean;
  objection: string;
}
const never: Never = { revision: undefined, sets: [], robots: true, privates: true, objection: '' };

/** As it was told last; until then robots and addresses that are not of the internet are let in. */
function currentNever(): Never {
  const revision = store.revisionOf('ban_setting', 'platform');
  if (revision === never.revision) return never;
  never.revision = revision;
  const body = store.bodyOf('ban_setting', 'platform');
  const [decoded] = body === undefined ? [undefined] : decodeJson(body);
  const setting = decoded as BanSettingDocument | undefined;
  never.sets = [];
  for (const { v4, v6 } of setting?.never ?? [])
    never.sets.push({ v4: ngx.decode_base64(v4)!, v6: ngx.decode_base64(v6)! });
  never.robots = setting?.never_robots ?? true;
  never.privates = setting?.never_private ?? true;
  never.objection = setting?.objection ?? '';
  return never;
}

/** Where who is banned may object; empty: nowhere. */
export const objection = (): string => currentNever().objection;

/** Whom no ban is for, so that one of a network, or from before, lets them in. */
export function isNever({ addressRule }: Trusting, text: string): boolean {
  const { sets, robots, privates } = currentNever();
  const address = parseAddress(text);
  if (address === undefined) return true;
  for (const set of sets) if (isInSet(address, set)) return true;
  // A proxy that said nothing of its visitor.
  if (addressRule !== undefined && isTrusted(address, addressRule.trusted)) return true;
  if (isOurs(text) || (privates && isPrivateAddress(text))) return true;
  if (!robots) return false;
  const robot = robotOf(text);
  return robot !== undefined && robot !== 'none';
}

const ours = 'ours';

/** Addresses of this node and of its control plane, as the agent knows them. */
export function putOurs(addresses: string[]): void {
  ngx.shared.edge_bans_made.set(ours, ` ${table.concat(addresses, ' ')} `);
}

function isOurs(address: string): boolean {
  const all = ngx.shared.edge_bans_made.get(ours) as string | undefined;
  return all !== undefined && string.find(all, ` ${address} `, 1, true)[0] !== undefined;
}
