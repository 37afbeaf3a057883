/** Amounts as they are typed. Pure. */

export const byteUnits = [
  { name: 'B', size: 1 },
  { name: 'KB', size: 1024 },
  { name: 'MB', size: 1024 ** 2 },
  { name: 'GB', size: 1024 ** 3 },
  { name: 'TB', size: 1024 ** 4 },
] as const;

/** The largest unit in which a number of bytes is whole, so that what was entered comes back as it was. */
export function byteUnitFor(bytes: number | null | undefined, ofNone: ByteUnit = 'MB'): number {
  const whole = byteUnits.findLast(({ size }) => bytes && bytes % size === 0);
  return (whole ?? byteUnits.find(({ name }) => name === ofNone)!).size;
}
export type ByteUnit = (typeof byteUnits)[number]['name'];

/** `12.34` (or `12,34`) → 1234 minor units; null for what is no amount with at most two decimals. */
export function parseMoney(text: string): number | null {
  const match = /^(-?)(\d{1,12})(?:[.,](\d{0,2}))?$/.exec(text.trim().replace(/^¥\s*/, ''));
  if (!match) return null;
  const minor = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] && minor ? -minor : minor;
}

/** Minor units with both decimals, without grouping: 123456 → `1234.56`. */
export function moneyText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Entries of a list as they are typed or pasted: one per line, or parted by commas and spaces. */
export function entriesOf(text: string): string[] {
  return text.split(/[\s,，;；]+/).filter(Boolean);
}
