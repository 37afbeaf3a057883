import { countKey, type HostEntry } from './site.ts';

export function isWhole(entry: HostEntry, target: string): boolean {
  const until = entry.wholes?.[target];
  return until !== undefined && until > ngx.now();
}

/** From now on, until then, a target is asked for whole. */
export function askWhole(entry: HostEntry, target: string, until: number): void {
  entry.wholes ??= {};
  if (entry.wholes[target] === undefined) countKey();
  entry.wholes[target] = until;
}
