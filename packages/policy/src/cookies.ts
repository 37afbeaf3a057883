import { trimOws } from './text.ts';

/** A request's `Cookie` field (RFC 6265 §5.4): pairs by semicolons, which may come in several lines. */

export function cookieValue(field: string, name: string): string | undefined {
  for (const item of field.split(';')) {
    const equals = item.indexOf('=');
    if (equals >= 0 && trimOws(item.substring(0, equals)) === name)
      return trimOws(item.substring(equals + 1));
  }
  return undefined;
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
