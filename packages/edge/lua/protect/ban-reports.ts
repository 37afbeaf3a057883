import { encodeJson } from '../lib/json.ts';

/**
 * Bans that rules made at this node, for the agent to tell the control plane. Each has a number; the agent says up to which it
 * has them safe, and asks for what follows, so that none is lost when it dies in between.
 */
const made = ngx.shared.edge_bans_made;

export interface MadeBan {
  scope: 'site' | 'client' | 'platform';
  site_id: number;
  client_id: number;
  address: string;
  seconds: number;
  decision: string;
  request_id: string;
  kernel: boolean;
  /** Seconds since 1970. */
  made_at: number;
}

const waitingMax = 5000;

export function noteMade(ban: MadeBan): void {
  const last = made.incr('last', 1, 0)!;
  const first = (made.get('first') as number | undefined) ?? 1;
  // No agent asks: the ban stands here all the same.
  if (last - first >= waitingMax) made.set('first', first + 1);
  const [isKept] = made.safe_set(`made ${last}`, encodeJson(ban));
  if (!isKept) made.incr('lost', 1, 0);
}

/** What was made after a number, and what to say next time; what is up to there is forgotten. */
export function takeMade(told: number, max: number): { bans: string; last: number } {
  let first = (made.get('first') as number | undefined) ?? 1;
  const last = (made.get('last') as number | undefined) ?? 0;
  for (; first <= told && first <= last; first++) made.delete(`made ${first}`);
  made.set('first', first);
  const bans: string[] = [];
  let number = first;
  for (; number <= last && bans.length < max; number++) {
    const ban = made.get(`made ${number}`) as string | undefined;
    if (ban !== undefined) bans.push(ban);
  }
  return { bans: table.concat(bans, '\n'), last: number - 1 };
}
