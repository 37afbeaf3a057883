import { randomInt } from 'node:crypto';

/** When things are done: renewals, tries after failures, and what is told before an end. */

const minute = 60_000;
const day = 86_400_000;

/** Up to so much of a lifetime earlier: certificates of one day are not all renewed in one minute. */
const jitterShare = 1 / 30;

/**
 * At two thirds of the lifetime, where the authority says nothing. Not within a day, so that a clock that is ahead does not have one new
 * certificate after another.
 */
export function renewalByLifetime(notBefore: Date, notAfter: Date, now = Date.now()): Date {
  const life = notAfter.getTime() - notBefore.getTime();
  const at = notBefore.getTime() + (life * 2) / 3 - fraction() * life * jitterShare;
  return new Date(Math.max(at, now + Math.min(day, life / 3)));
}

const toleranceMs = 5 * minute;

/** Whether a certificate that was issued now is not valid yet, or due for renewal already: this clock is not that of the authority. */
export function isClockOff(notBefore: Date, notAfter: Date, now = Date.now()): boolean {
  const life = notAfter.getTime() - notBefore.getTime();
  return notBefore.getTime() > now + toleranceMs || now > notBefore.getTime() + (life * 2) / 3;
}

/** Any time of a window (RFC 9773 §4.2), so that not everybody comes at once; now where it has passed. */
export function renewalInWindow(start: Date, end: Date, now = Date.now()): Date {
  const at = start.getTime() + fraction() * (end.getTime() - start.getTime());
  return new Date(Math.max(at, now));
}

const retryMinutes = [5, 15, 60, 180, 360, 720, 1440];

/** After so many failures in a row, and not before an authority says. */
export function nextTry(failures: number, retryAt: Date | undefined, now = Date.now()): Date {
  const minutes = retryMinutes[Math.min(failures, retryMinutes.length) - 1] ?? 5;
  const own = now + minutes * minute * (1 + fraction() / 5);
  return new Date(Math.max(own, retryAt?.getTime() ?? 0));
}

const warnings = [1, 3, 7, 14, 30];

/** The warning that is due so close to the end, where it was not given: in days. */
export function warningDue(notAfter: Date, warned: number | null, now = Date.now()): number | undefined {
  const left = (notAfter.getTime() - now) / day;
  const due = warnings.find((days) => left <= days);
  return due === undefined || (warned !== null && warned <= due) ? undefined : due;
}

/** From 0 to 1. */
const fraction = (): number => randomInt(1_000_000) / 1_000_000;
