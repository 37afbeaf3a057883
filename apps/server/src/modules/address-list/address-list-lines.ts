import { entriesOfLines, problemOfLines, type LinesProblem } from '@breakwater/contract/address-lines';
import { packAddresses } from '@breakwater/policy/address/address-set';

/** A list as it is stored: the text, and what nodes search in, in base64. */
export interface PackedList {
  content: string;
  entryCount: number;
  v4: string;
  v6: string;
}

/** Checks the lines and packs them; a long list takes seconds (`packList` in `address-list-pack.ts` has room for that). */
export function packLines(content: string): Omit<PackedList, 'content'> | { problem: LinesProblem } {
  const lines = entriesOfLines(content);
  const problem = problemOfLines(lines);
  if (problem !== undefined) return { problem };
  const { v4, v6 } = packAddresses(lines.map(({ entry }) => entry));
  return { entryCount: lines.length, v4: toBase64(v4), v6: toBase64(v6) };
}

const toBase64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');
