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

/** Seconds since 1970 of an HTTP date in any of the three forms of RFC 9110 §5.6.7; undefined when it is none. */
export function parseHttpDate(text: string): number | undefined {
  const comma = text.indexOf(', ');
  // `Sun, 06 Nov 1994 08:49:37 GMT`
  if (comma === 3 && text.length === 29)
    return assemble(
      text.substring(12, 16),
      text.substring(8, 11),
      text.substring(5, 7),
      text.substring(17, 25),
    );
  // `Sunday, 06-Nov-94 08:49:37 GMT`; the standard takes a year far ahead for the century before.
  if (comma > 3 && text.length === comma + 24) {
    const year = parseDigits(text.substring(comma + 9, comma + 11));
    if (year === undefined) return undefined;
    const full = `${year < 70 ? 2000 + year : 1900 + year}`;
    const date = text.substring(comma + 2);
    return assemble(full, date.substring(3, 6), date.substring(0, 2), date.substring(10, 18));
  }
  // `Sun Nov  6 08:49:37 1994`
  if (comma < 0 && text.length === 24) {
    const day = text.charCodeAt(8) === 32 ? text.substring(9, 10) : text.substring(8, 10);
    return assemble(text.substring(20, 24), text.substring(4, 7), day, text.substring(11, 19));
  }
  return undefined;
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
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  return daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

/** Days of a Gregorian date, counted in years that begin with March, so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
