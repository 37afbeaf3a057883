import { takeWantsContent } from './inspect.ts';
import type { Protection } from './protect.ts';

/** Requests that wait because a rule says so, in the place where content is judged: before it nothing may wait. */

/** Of this worker; whoever comes when so many wait goes on at once, so that nobody fills it with waiting connections. */
const waitingMax = 200;
let waiting = 0;

/** Of several rules the longest counts. */
export function wantDelay(milliseconds: number): void {
  const variables = ngx.var;
  const wanted = tonumber(variables.edge_delay) ?? 0;
  if (milliseconds > wanted) variables.edge_delay = `${milliseconds}`;
}

/** Whether it goes through the place before the cache: its content is judged there, or it waits. */
export function isHeldBefore({ matchers }: Protection): boolean {
  const wantsContent = takeWantsContent();
  return wantsContent || (matchers !== undefined && ngx.var.edge_delay !== '');
}

export function waitAsWanted(): void {
  const milliseconds = tonumber(ngx.var.edge_delay);
  if (milliseconds === undefined || waiting >= waitingMax) return;
  waiting += 1;
  ngx.sleep(milliseconds / 1000);
  waiting -= 1;
}
