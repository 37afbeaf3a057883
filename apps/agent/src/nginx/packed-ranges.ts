import { formatAddress } from '@breakwater/policy/address/ip';

export interface Range {
  first: Buffer;
  last: Buffer;
  /** As nft takes it: an address, or `first-last`. */
  text: string;
}

/** Of addresses as documents carry them: `packAddresses` in base64; 4 or 16 bytes an address. */
export function unpackRanges(base64: string, width: 4 | 16): Range[] {
  const bytes = Buffer.from(base64, 'base64');
  const ranges: Range[] = [];
  for (let at = 0; at + 2 * width <= bytes.length; at += 2 * width) {
    const [first, last] = [bytes.subarray(at, at + width), bytes.subarray(at + width, at + 2 * width)];
    const [from, to] = [formatAddress([...first]), formatAddress([...last])];
    ranges.push({ first, last, text: from === to ? from : `${from}-${to}` });
  }
  return ranges;
}
