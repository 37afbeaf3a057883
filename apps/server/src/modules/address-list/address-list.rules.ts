import { entriesOfLines } from '@breakwater/contract';
import { packAddresses } from '@breakwater/policy/address-set';

/** A list as it is stored: the text, and what nodes search in. */
export function packContent(content: string) {
  const entries = entriesOfLines(content).map(({ entry }) => entry);
  const { v4, v6 } = packAddresses(entries);
  return { content, entryCount: entries.length, v4: toBase64(v4), v6: toBase64(v6) };
}

const toBase64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');
