/** Days before the end of a certificate at which it is told of; 0: it has ended. */
const noticeDays = [30, 14, 7, 3, 1, 0];
const dayMs = 86_400_000;

/** The next of these times; null when all are over. */
export function nextNotice(notAfter: Date, now: number): Date | null {
  const next = noticeDays.map((days) => notAfter.getTime() - days * dayMs).find((time) => time > now);
  return next === undefined ? null : new Date(next);
}
