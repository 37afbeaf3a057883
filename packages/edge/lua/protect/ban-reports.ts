import { encodeJson } from '../lib/json.ts';
import { noteReport, takeReports } from '../lib/reports.ts';

/** Bans that rules made at this node. */
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

/** Where it is not told, the ban stands here all the same. */
export const noteMade = (ban: MadeBan): void => noteReport(made, encodeJson(ban));

export function takeMade(told: number, max: number): { bans: string; last: number } {
  const { lines, last } = takeReports(made, told, max);
  return { bans: lines, last };
}
