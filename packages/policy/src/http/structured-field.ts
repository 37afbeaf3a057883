import { trimOws } from '../lib/text.ts';

/**
 * Whether a field reads as a dictionary of structured fields (RFC 9651 §3.2), as far as names and bare values go: what a
 * targeted field must be, or count for nothing (RFC 9213 §2.1).
 */
export function isDictionary(field: string): boolean {
  let start = 0;
  let quoted = false;
  for (let index = 0; index <= field.length; index++) {
    const code = index < field.length ? field.charCodeAt(index) : 44;
    if (code === 34) quoted = !quoted;
    if (index < field.length && (code !== 44 || quoted)) continue;
    if (!isMember(trimOws(field.substring(start, index)))) return false;
    start = index + 1;
  }
  return !quoted;
}

function isMember(text: string): boolean {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.substring(0, equals);
  if (name === '' || !isKey(name)) return false;
  return equals < 0 || isBareValue(text.substring(equals + 1));
}

/** Lower-case letters, digits, `_`, `-`, `.` and `*`; a letter or `*` first. */
function isKey(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    const isFirst = (code >= 97 && code <= 122) || code === 42;
    const isLater = (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
    if (!isFirst && (index === 0 || !isLater)) return false;
  }
  return true;
}

/** A string in quotes, or a number, token or boolean: no space, no quote within. */
function isBareValue(value: string): boolean {
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"')) return true;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code <= 32 || code === 34 || code >= 127) return false;
  }
  return value !== '';
}
