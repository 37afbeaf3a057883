import { parseDigits, trimOws } from '../lib/text.ts';

/**
 * Bytes that a request wants of an answer so long (RFC 9110 §14.1.2): all of it, where the field is absent or names no
 * ranges. Ranges are added up, also where they overlap.
 */
export function wantedBytes(method: string, range: string, length: number): number {
  if (method === 'HEAD') return 0;
  if (!range.toLowerCase().startsWith('bytes=')) return length;
  let sum = 0;
  for (const item of range.substring(6).split(',')) {
    const wanted = bytesOfRange(trimOws(item), length);
    if (wanted === undefined) return length;
    sum += wanted;
  }
  return Math.min(sum, length);
}

/** Absent: no range at all. One that lies behind the end is of no bytes. */
function bytesOfRange(item: string, length: number): number | undefined {
  const dash = item.indexOf('-');
  if (dash < 0) return undefined;
  const from = item.substring(0, dash);
  const to = item.substring(dash + 1);
  const first = from === '' ? 0 : decimal(from);
  const last = to === '' ? length - 1 : decimal(to);
  if (first === undefined || last === undefined) return undefined;
  if (from === '') return to === '' ? undefined : Math.min(last, length);
  if (last < first && to !== '') return undefined;
  return Math.max(0, Math.min(last, length - 1) - first + 1);
}

/** Files may be longer than `parseDigits` counts; beyond 15 digits nothing is exact, nor there. */
function decimal(text: string): number | undefined {
  if (text.length === 0 || text.length > 15) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = parseDigits(text.substring(index, index + 1));
    if (digit === undefined) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
