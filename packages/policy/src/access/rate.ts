/**
 * A rate limit by the generic cell rate algorithm (GCRA, ITU-T I.371 annex A, as virtual scheduling): requests come at an
 * even pace, and up to `burst` more at once. One number is remembered for each counter, the time at which it would be
 * empty, so nothing has to be counted back. All times are whole microseconds.
 */

export interface Rate {
  /** Between two requests at the even pace. */
  interval: number;
  /** How far ahead of its pace a counter may be. */
  tolerance: number;
}

export interface Reservation {
  allowed: boolean;
  /** The counter after the request; what it was when the request is refused. */
  next: number;
  /** Microseconds until a request would be allowed; 0: this one is. */
  wait: number;
}

export function rateOf(requests: number, periodSeconds: number, burst: number): Rate {
  // Rounded up: never more than was allowed.
  const interval = Math.ceil((periodSeconds * 1_000_000) / requests);
  return { interval, tolerance: interval * burst };
}

export function reserve(rate: Rate, counter: number, now: number): Reservation {
  const due = counter > now ? counter : now;
  const wait = due - now - rate.tolerance;
  if (wait > 0) return { allowed: false, next: counter, wait };
  return { allowed: true, next: due + rate.interval, wait: 0 };
}

/** For `Retry-After`: whole seconds, one at least. */
export function retryAfterSeconds(wait: number): number {
  const seconds = Math.ceil(wait / 1_000_000);
  return seconds < 1 ? 1 : seconds;
}
