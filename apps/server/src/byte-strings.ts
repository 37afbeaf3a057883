import { toByteString } from '@breakwater/policy';

/** Policy takes byte strings, as nginx has them. */
export const inBytes = (value: unknown): unknown => mapText(value, toByteString);
export const inText = (value: unknown): unknown =>
  mapText(value, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapText(part, change)]));
}
