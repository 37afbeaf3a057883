import { formatCount, formatShare } from './format.ts';

/** How much more than before, with its sign: `+12.5%`, from ten times on `×12`; nothing where there was nothing before. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now / before >= 10) return `×${formatCount(Math.round(now / before))}`;
  const change = (now - before) / before;
  if (Math.abs(change) < 0.0005) return '±0%';
  return `${change < 0 ? '−' : '+'}${formatShare(Math.abs(change))}`;
}
