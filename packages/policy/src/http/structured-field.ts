import type { Directives } from './cache-control.ts';
import { trimOws } from '../lib/text.ts';

/**
 * The members of a dictionary of structured fields (RFC 9651 §3.2), as a targeted field has to be one, or counts for nothing
 * (RFC 9213 §2.1). Values stand as they were written, a string in its quotes, so that none of another type is taken for a number;
 * one without a value holds the empty text, and one that is false is none. Parameters say nothing. Of two of one name the last counts.
 */
export function parseDictionary(field: string): Directives | undefined {
  const members: Directives = {};
  const items = splitOutside(field, 44);
  if (items === undefined) return undefined;
  for (const item of items) {
    const parts = splitOutside(trimOws(item), 59)!;
    for (let index = 1; index < parts.length; index++)
      if (!isMember(trimOws(parts[index]!))) return undefined;
    const text = parts[0]!;
    if (!isMember(text)) return undefined;
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.substring(0, equals);
    const value = equals < 0 ? '' : text.substring(equals + 1);
    if (value === '?0') delete members[name];
    else members[name] = value === '?1' ? '' : value;
  }
  return members;
}

/** At a character outside quotes and brackets; undefined where one of them stays open. */
function splitOutside(text: string, mark: number): string[] | undefined {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isInner = false;
  let isEscaped = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isEscaped) isEscaped = false;
    else if (isQuoted && code === 92) isEscaped = true;
    else if (code === 34) isQuoted = !isQuoted;
    else if (!isQuoted && (code === 40 || code === 41)) isInner = code === 40;
    else if (!isQuoted && !isInner && code === mark) {
      parts.push(text.substring(start, index));
      start = index + 1;
    }
  }
  parts.push(text.substring(start));
  return isQuoted || isInner ? undefined : parts;
}

function isMember(text: string): boolean {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.substring(0, equals);
  if (name === '' || !isKey(name)) return false;
  return equals < 0 || isValue(text.substring(equals + 1));
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

/** A string in quotes, a list in brackets, or a number, token or the like: no space, no quote within. */
function isValue(value: string): boolean {
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"')) return true;
  if (value.startsWith('(') && value.endsWith(')')) return true;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code <= 32 || code === 34 || code >= 127) return false;
  }
  return value !== '';
}
