import { formatShare } from './format.ts';

/** How much more than before, with its sign: `+12.5%`; nothing where there was nothing before. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = (now - before) / before;
  return `${change < 0 ? '−' : '+'}${formatShare(Math.abs(change))}`;
}
