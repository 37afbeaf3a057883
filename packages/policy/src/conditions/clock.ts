import { parseDigits } from '../lib/text.ts';

/** Times of the day and days, as conditions have them. */

const daySeconds = 86_400;

/** Minutes since midnight of `08:30`. */
export function parseMinutes(text: string): number | undefined {
  if (text.length !== 5 || text.substring(2, 3) !== ':') return undefined;
  const hours = parseDigits(text.substring(0, 2));
  const minutes = parseDigits(text.substring(3, 5));
  if (hours === undefined || minutes === undefined || hours > 23 || minutes > 59) return undefined;
  return hours * 60 + minutes;
}

/** Days since 1970 of `2026-01-31` (H. Hinnant, "chrono-compatible low-level date algorithms"). */
export function parseDay(text: string): number | undefined {
  if (text.length !== 10 || text.substring(4, 5) !== '-' || text.substring(7, 8) !== '-') return undefined;
  const year = parseDigits(text.substring(0, 4));
  const month = parseDigits(text.substring(5, 7));
  const day = parseDigits(text.substring(8, 10));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  // Years begin in March, so that the leap day is the last.
  const ofYear = month > 2 ? year : year - 1;
  const era = Math.floor(ofYear / 400);
  const yearOfEra = ofYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/** The distance from UTC of `+08:00`, in minutes; of anything else 0. */
function zoneMinutes(text: string): number {
  const minutes = parseMinutes(text.substring(1));
  if (minutes === undefined) return 0;
  return text.startsWith('-') ? -minutes : minutes;
}

/** What a clock shows at a time (seconds since 1970) in a zone as `+08:00`; Monday is 1. */
export function clockFact(field: string, zone: string, time: number): number {
  const local = time + zoneMinutes(zone) * 60;
  const day = Math.floor(local / daySeconds);
  const minutes = Math.floor((local - day * daySeconds) / 60);
  if (field === 'date') return day;
  if (field === 'time_of_day') return minutes;
  if (field === 'hour') return Math.floor(minutes / 60);
  // The first of January 1970 was a Thursday.
  return ((day + 3) % 7) + 1;
}
