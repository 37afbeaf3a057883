import { parseDigits } from '../lib/text.ts';

const months: Record<string, number> = {
  Jan: 1,
  Feb: 2,
  Mar: 3,
  Apr: 4,
  May: 5,
  Jun: 6,
  Jul: 7,
  Aug: 8,
  Sep: 9,
  Oct: 10,
  Nov: 11,
  Dec: 12,
};

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const longDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const fiftyYears = 1_577_880_000;

/**
 * Seconds since 1970 of an HTTP date in any of the three forms of RFC 9110 §5.6.7; undefined when it is none. `now`: the year of
 * the second form has two digits, and is never more than fifty years ahead.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  // What is answered within a second bears the same date.
  if (text === lastText) return lastSeconds;
  if (!hasShape(text, 'aaa, 00 aaa 0000 00:00:00 GMT')) return parseOldDate(text, now);
  const time = text.substring(17, 25);
  const seconds = assemble(text.substring(12, 16), text.substring(8, 11), text.substring(5, 7), time);
  lastText = text;
  lastSeconds = isOne(days, text.substring(0, 3)) ? seconds : undefined;
  return lastSeconds;
}

let lastText = '';
let lastSeconds: number | undefined;

/** In one of the two forms that nobody may send any longer. */
function parseOldDate(text: string, now: number): number | undefined {
  const comma = text.indexOf(', ');
  if (comma > 3) {
    const date = text.substring(comma + 2);
    return isOne(longDays, text.substring(0, comma)) ? parseShortYear(date, now) : undefined;
  }
  // A day of one digit has a space before it.
  const full =
    text.substring(0, 8) + (text.charCodeAt(8) === 32 ? '0' : text.substring(8, 9)) + text.substring(9);
  if (!hasShape(full, 'aaa aaa 00 00:00:00 0000') || !isOne(days, text.substring(0, 3))) return undefined;
  return assemble(full.substring(20), full.substring(4, 7), full.substring(8, 10), full.substring(11, 19));
}

function parseShortYear(date: string, now: number): number | undefined {
  if (!hasShape(date, '00-aaa-00 00:00:00 GMT')) return undefined;
  const year = date.substring(7, 9);
  const month = date.substring(3, 6);
  const time = date.substring(10, 18);
  const seconds = assemble(`20${year}`, month, date.substring(0, 2), time);
  if (seconds !== undefined && seconds <= now + fiftyYears) return seconds;
  return assemble(`19${year}`, month, date.substring(0, 2), time);
}

/** In a shape `0` is any digit, `a` any letter, and all else itself. */
function hasShape(text: string, shape: string): boolean {
  if (text.length !== shape.length) return false;
  for (let index = 0; index < shape.length; index++) {
    const code = text.charCodeAt(index);
    const wanted = shape.charCodeAt(index);
    if (wanted === 48) {
      if (code < 48 || code > 57) return false;
    } else if (wanted === 97) {
      if (code < 65 || code > 122 || (code > 90 && code < 97)) return false;
    } else if (code !== wanted) return false;
  }
  return true;
}

function isOne(names: readonly string[], name: string): boolean {
  for (const each of names) if (each === name) return true;
  return false;
}

/** Seconds since 1970 of a time by RFC 3339, `2026-01-31T08:00:00.000Z` or with `+08:00`; fractions are cut off. */
export function parseIsoTime(text: string): number | undefined {
  const month = parseDigits(text.substring(5, 7));
  const isUtc = text.endsWith('Z');
  const offset = text.substring(text.length - 6);
  if (!isUtc && !offset.startsWith('+') && !offset.startsWith('-')) return undefined;
  const hours = isUtc ? 0 : parseDigits(offset.substring(1, 3));
  const minutes = isUtc ? 0 : parseDigits(offset.substring(4));
  const local = secondsOf(text.substring(0, 4), month, text.substring(8, 10), text.substring(11, 19));
  if (local === undefined || hours === undefined || minutes === undefined) return undefined;
  const ahead = hours * 3600 + minutes * 60;
  return offset.startsWith('-') ? local + ahead : local - ahead;
}

function assemble(yearText: string, monthName: string, dayText: string, time: string): number | undefined {
  return secondsOf(yearText, months[monthName], dayText, time);
}

function secondsOf(
  yearText: string,
  month: number | undefined,
  dayText: string,
  time: string,
): number | undefined {
  const year = parseDigits(yearText);
  const day = parseDigits(dayText);
  const hour = parseDigits(time.substring(0, 2));
  const minute = parseDigits(time.substring(3, 5));
  const second = parseDigits(time.substring(6, 8));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 60) return undefined;
  return daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days of a Gregorian date, counted in years that begin with March, so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
