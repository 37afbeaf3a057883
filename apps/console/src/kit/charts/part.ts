import type { ReactNode } from 'react';

/** A named share of a whole. */
export interface Part {
  name: string;
  value: number;
  /** What stands for the name, such as a link. */
  label?: ReactNode;
}

/** The largest parts, and what is left as one. Parts of nothing are no parts. */
export function largestParts(parts: readonly Part[], count: number, others: string): Part[] {
  const sorted = parts.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  if (sorted.length <= count) return sorted;
  const rest = sorted.slice(count - 1).reduce((sum, { value }) => sum + value, 0);
  return [...sorted.slice(0, count - 1), { name: others, value: rest }];
}

export const totalOf = (parts: readonly Part[]): number => parts.reduce((sum, { value }) => sum + value, 0);
