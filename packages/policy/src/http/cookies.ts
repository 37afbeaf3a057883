import { percentDecode } from './path.ts';
import { cookieValues } from './request-parts.ts';
import { lowerAscii, trimOws } from '../lib/text.ts';

/** A request's `Cookie` field (RFC 6265 §5.4): pairs by semicolons, which may come in several lines. */

/**
 * How many cookies of a name an origin may find, where some separate them by commas too (Rack, ASP), decode names, take
 * `a.b` for `a_b` (PHP), or tell names not by case.
 */
function readings(field: string, name: string): number {
  const wanted = folded(name);
  let count = 0;
  for (const part of percentDecode(field).split(';'))
    for (const item of part.split(',')) {
      const equals = item.indexOf('=');
      if (folded(equals < 0 ? item : item.substring(0, equals)) === wanted) count += 1;
    }
  return count;
}

function folded(name: string): string {
  const root = trimOws(lowerAscii(name.split('+').join(' '))).split('[')[0]!;
  return root.split('.').join('_').split(' ').join('_');
}

/**
 * What a cookie adds to a cache key: its value; the whole field behind a `*` where origins could read another value, or none,
 * so that what one of them reads is given to nobody else; nothing where no origin finds it.
 */
export function cookieForKey(field: string, name: string): string | undefined {
  const count = readings(field, name);
  if (count === 0) return undefined;
  const values = cookieValues(field, name);
  const isRead = count === 1 && values !== undefined && values.length === 1 && field.indexOf('"') < 0;
  return isRead ? `=${values[0]!.length}:${values[0]!}` : `*${field.length}:${field}`;
}

/** Whether it carries one of these cookies; a name that ends in `*` stands for all that begin so. */
export function hasCookieNamed(field: string, names: string[]): boolean {
  for (const item of field.split(';')) {
    const equals = item.indexOf('=');
    const name = trimOws(equals < 0 ? item : item.substring(0, equals));
    if (name === '') continue;
    for (const wanted of names) {
      if (wanted === name) return true;
      if (wanted.endsWith('*') && name.startsWith(wanted.substring(0, wanted.length - 1))) return true;
    }
  }
  return false;
}
