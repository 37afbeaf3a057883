import { useState } from 'react';

/** What an answer was asked with, and how many it counted. */
export interface Counted<Asked> {
  asked: Asked;
  total: number;
}

interface CountRead {
  data: { total: number } | undefined;
  /** What is shown is the answer to an earlier question. */
  isPlaceholderData: boolean;
}

/**
 * Question and count of the answer that is shown. While another question is on its way, the rows and the total that are
 * shown are those of the one before it (`keepPrevious`), and so is what is chosen by them.
 */
export function useCounted<Asked>(
  asked: Asked,
  { data, isPlaceholderData }: CountRead,
): Counted<Asked> | undefined {
  const [last, setLast] = useState<Counted<Asked>>();
  if (data === undefined || isPlaceholderData) return last;
  if (last?.total === data.total && isSame(last.asked, asked)) return last;
  const counted = { asked, total: data.total };
  setLast(counted);
  return counted;
}

/** The count, if it is that of this question. */
export const countFor = <Asked>(counted: Counted<Asked> | undefined, asked: Asked): number | undefined =>
  counted && isSame(counted.asked, asked) ? counted.total : undefined;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
