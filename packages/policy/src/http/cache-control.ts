import { parseDigits, trimOws } from '../lib/text.ts';

/** Directives by lower-case name; one without a value holds the empty text. Of a repeated one the first counts. */
export type Directives = Record<string, string>;

/** Parses a `Cache-Control` field value: a comma-separated list in which values may be quoted (RFC 9111 §5.2). */
export function parseDirectives(field: string): Directives {
  const directives: Directives = {};
  let start = 0;
  let quoted = false;
  for (let index = 0; index <= field.length; index++) {
    const code = index < field.length ? field.charCodeAt(index) : 44;
    if (code === 34) quoted = !quoted;
    if (index < field.length && (code !== 44 || quoted)) continue;
    addDirective(directives, field.substring(start, index));
    start = index + 1;
  }
  return directives;
}

function addDirective(directives: Directives, text: string): void {
  const equals = text.indexOf('=');
  const name = trimOws(equals < 0 ? text : text.substring(0, equals)).toLowerCase();
  if (name === '' || directives[name] !== undefined) return;
  let value = equals < 0 ? '' : trimOws(text.substring(equals + 1));
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"'))
    value = value.substring(1, value.length - 1);
  directives[name] = value;
}

/** Seconds of a directive; one that is there but no number counts as 0, that is stale (RFC 9111 §4.2.1). */
export function secondsOf(directives: Directives, name: string): number | undefined {
  const value = directives[name];
  return value === undefined ? undefined : (parseDigits(value) ?? 0);
}
