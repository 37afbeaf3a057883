import { invalidatesStored } from '../front/invalidating.ts';
import { requestKey } from '../fetch/stale.ts';
import type { HostEntry } from '../site/host.ts';
import { newestRefresh } from '../documents/store.ts';
import { isFromEdge, shieldsOf, type Shields } from './shields.ts';

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
export function shieldsFor(entry: HostEntry): Shields | undefined {
  if (isFromEdge()) return undefined;
  const shields = shieldsOf(entry.site.key);
  if (shields === undefined || shields.isShield || shields.peers.length === 0) return undefined;
  return shields.isGlobal || isForAll(entry) ? shields : undefined;
}

/** What may be kept for all; and what changes that, for the shield has to know. */
function isForAll(entry: HostEntry): boolean {
  const variables = ngx.var;
  if (invalidatesStored(entry, ngx.req.get_method())) return true;
  if (isAround() || variables.http_authorization !== undefined) return false;
  const key = requestKey();
  return key !== undefined && notes.get(`private/${key}`) === undefined;
}

const isAround = (): boolean => (ngx.var.http_x_breakwater ?? 'bypass') === 'bypass';

/** The answer is not one that can be kept, whenever it is asked for. */
export function noteIsPrivate(): void {
  const key = requestKey();
  if (key !== undefined) notes.set(`private/${key}`, 1, noteSeconds);
}

/** What the shield is told. */
export function tellShield({ site }: HostEntry): string {
  const scheme = ngx.var.http_x_forwarded_proto ?? 'http';
  return `${site.key} ${newestRefresh('refreshing', site.key)} ${scheme} ${isAround() ? 'around' : 'cache'}`;
}

/** What a shield says of its answer. */
export interface FromShield {
  /** For how long it has had it. */
  seconds: number;
  /** Address and status of the origin that gave it now. */
  answered: string;
  tags: string;
}

/** Takes from the answer what was said to this node alone. */
export function takeFromShield(): FromShield {
  const header = ngx.header;
  const said = header['X-Breakwater-Hop'];
  const tags = header['X-Breakwater-Tags'];
  header['X-Breakwater-Hop'] = undefined;
  header['X-Breakwater-Tags'] = undefined;
  const [seconds, answered] = string.match(
    type(said) === 'string' ? (said as string) : '',
    '^(%d+) (%S+ %d+)$',
  );
  return {
    seconds: tonumber(seconds) ?? 0,
    answered: answered ?? '- 0',
    tags: type(tags) === 'string' ? (tags as string) : '',
  };
}
