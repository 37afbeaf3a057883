import { invalidatesStored } from '../front/invalidating.ts';
import { isAround, type FetchRequest } from '../fetch/fetch-request.ts';
import { requestKey } from '../fetch/stale.ts';
import type { HostEntry } from '../site/host.ts';
import { newestRefresh } from '../documents/store.ts';
import { shieldsOf, type Shields } from './shields.ts';

/**
 * The hop from a node to a shield (docs/origin-shield.md), on the side of the node that asks. `X-Breakwater-Hop` goes with a request:
 * the site, the newest refresh of it that is begun here, the visitor's scheme, and whether the shield's cache may answer; and comes
 * with an answer: what the shield's cache had, for how many seconds, and which origin gave it with which status, where one was asked.
 * Everything else goes as the visitor's request came to the cache.
 */

/** Of what turned out to be for one visitor: it goes to the origin itself. */
const notes = ngx.shared.edge_stale;
const noteSeconds = 60;

/** The shields that a request of the fetch server goes to first; nothing: it goes to the origin. */
export function shieldsFor(request: FetchRequest, entry: HostEntry): Shields | undefined {
  if (request.isFromEdge) return undefined;
  const shields = shieldsOf(entry.site.key);
  if (shields === undefined || shields.isShield || shields.peers.length === 0) return undefined;
  return shields.isGlobal || isForAll(request, entry) ? shields : undefined;
}

/** What may be kept for all; and what changes that, for the shield has to know. */
function isForAll(request: FetchRequest, entry: HostEntry): boolean {
  if (invalidatesStored(entry, ngx.req.get_method())) return true;
  if (isAround(request) || request.hasAuthorization) return false;
  const key = requestKey(request);
  return key !== undefined && notes.get(`private/${key}`) === undefined;
}

/** The answer is not one that can be kept, whenever it is asked for. */
export function noteIsPrivate(request: FetchRequest): void {
  const key = requestKey(request);
  if (key !== undefined) notes.set(`private/${key}`, 1, noteSeconds);
}

/** What the shield is told. */
export function tellShield(request: FetchRequest, { site }: HostEntry): string {
  const way = isAround(request) ? 'around' : 'cache';
  return `${site.key} ${newestRefresh('refreshing', site.key)} ${request.scheme} ${way}`;
}

/** What a shield says of its answer. */
export interface FromShield {
  /** For how long it has had it. */
  seconds: number;
  /** Address and status of the origin that gave it now. */
  giver: { addr: string; status: string };
  tags: string;
}

/** Takes from the answer what was said to this node alone. */
export function takeFromShield(): FromShield {
  const header = ngx.header;
  const said = header['X-Breakwater-Hop'];
  const tags = header['X-Breakwater-Tags'];
  header['X-Breakwater-Hop'] = undefined;
  header['X-Breakwater-Tags'] = undefined;
  const [seconds, addr, status] = string.match(
    type(said) === 'string' ? (said as string) : '',
    '^(%d+) (%S+) (%d+)$',
  );
  return {
    seconds: tonumber(seconds) ?? 0,
    giver: { addr: addr ?? '-', status: status ?? '0' },
    tags: type(tags) === 'string' ? (tags as string) : '',
  };
}
