import type { Language } from '@breakwater/contract';

/** Numbers and times as people read them. Pure: the language is an argument where it matters. */

const invalidTime = 'Invalid time value';

function scaled(value: number, base: number, units: readonly string[]): string {
  let scale = 0;
  let rest = value;
  while (Math.abs(rest) >= base && scale < units.length - 1) {
    rest /= base;
    scale += 1;
  }
  const digits = scale === 0 || Math.abs(rest) >= 100 ? 0 : Math.abs(rest) >= 10 ? 1 : 2;
  return `${Number(rest.toFixed(digits))} ${units[scale]}`;
}

export const formatBytes = (bytes: number): string =>
  scaled(bytes, 1024, ['B', 'KB', 'MB', 'GB', 'TB', 'PB']);
/** Bits per second, in the decimal steps that networks use. */
export const formatBitRate = (bits: number): string =>
  scaled(bits, 1000, ['bps', 'Kbps', 'Mbps', 'Gbps', 'Tbps']);
/** Several of a kind in a line. */
export const formatList = (words: readonly string[], language: Language): string =>
  words.join(language === 'zh' ? '、' : ', ');
/** Made when first used: a browser takes 7 ms for its first, which the first screen need not wait for. */
let counts: Intl.NumberFormat | undefined;
/** Grouped alike in both languages. */
export function formatCount(count: number): string {
  counts ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  return counts.format(count);
}
/** A share from 0 to 1. What is nearly all is not all, and little is not nothing. */
export function formatShare(share: number | null): string {
  if (share === null) return '–';
  if (share > 0 && share < 0.0005) return '<0.1%';
  if (share < 1 && share >= 0.9995) return '>99.9%';
  return `${Number((share * 100).toFixed(1))}%`;
}
export const formatSeconds = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${Number(seconds.toFixed(seconds < 10 ? 2 : 0))} s`;
let amounts: Intl.NumberFormat | undefined;
/** Money in minor units. */
export function formatMoney(minor: number): string {
  amounts ??= new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' });
  return amounts.format(minor / 100);
}

/** Of three letters each; British English would have four for September. */
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 2026` in English, `2026-11-21` in Chinese. Null for no time. */
export function formatDate(time: string | number | null | undefined, language: Language): string | null {
  if (time === null || time === undefined || time === '') return null;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return invalidTime;
  if (language === 'zh') return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${two(date.getDate())} ${monthNames[date.getMonth()]} ${date.getFullYear()}`;
}

export function formatClock(time: string | number, withSeconds = true): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return invalidTime;
  return [date.getHours(), date.getMinutes(), ...(withSeconds ? [date.getSeconds()] : [])].map(two).join(':');
}

export function formatDateTime(time: string | number | null | undefined, language: Language): string | null {
  const date = formatDate(time, language);
  return date === null || date === invalidTime ? date : `${date} ${formatClock(time!)}`;
}

/** How far the zone that times are shown in is from UTC then: `UTC+8`. */
export function formatOffset(time: string | number): string {
  const minutes = -new Date(time).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** The zone that times are shown in: `Asia/Shanghai, UTC+8`. */
export function formatZone(time: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === 'UTC' ? zone : `${zone}, ${formatOffset(time)}`;
}

/** From when until when, to the minute: the day is said once where it is the same. */
export function formatRange(from: string, until: string, language: Language): string {
  const moment = (time: string) => `${formatDate(time, language)} ${formatClock(time, false)}`;
  const sameDay = new Date(from).toDateString() === new Date(until).toDateString();
  return `${moment(from)} – ${sameDay ? formatClock(until, false) : moment(until)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The value of a `datetime-local` input, in the reader's zone, and back. */
export function toLocalInput(time: string | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
export function fromLocalInput(text: string): string | undefined {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
