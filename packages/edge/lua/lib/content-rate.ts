/**
 * How slowly a visitor may send a request's content. nginx 1.22 has a deadline between two reads alone (`client_body_timeout`): who
 * sends a byte now and then would hold a connection at the site's origin for as long as they like (a slow POST).
 */

/** Seconds over which the rate is an average, so that a short silence ends nothing. */
let windowSeconds = 30;

export function setContentWindow(seconds: number): void {
  windowSeconds = seconds;
}

/** What a site that says nothing asks for, in bytes a second: a modem's tenth. */
export const contentRateMin = 240;

/** What states to be no longer is read before it goes on; `client_body_buffer_size` of the fetch servers. */
export const smallContentBytes = 65_536;

/** Where the front tells a visitor that it was too slow. */
export const tooSlowPlace = '@content_too_slow';

/** Of content that is on its way. */
export interface Pace {
  /** Bytes a second; 0: any. */
  rate: number;
  /** Of the window that has begun: seconds spent waiting for the visitor, and the bytes that came meanwhile. */
  seconds: number;
  bytes: number;
}

export const paceOf = (rate: number): Pace => ({ rate, seconds: 0, bytes: 0 });

/**
 * Notes that these bytes came after so many seconds of waiting. False: in the window that ended too few came. Time in which the
 * edge did not read, since the origin takes nothing, is not to be counted.
 */
export function keepsPace(pace: Pace, bytes: number, seconds: number): boolean {
  pace.bytes += bytes;
  pace.seconds += seconds;
  if (pace.seconds < windowSeconds) return true;
  const isKept = pace.bytes >= pace.rate * pace.seconds;
  pace.bytes = 0;
  pace.seconds = 0;
  return isKept;
}

/** Reads all of a request's content, as `ngx.req.read_body` does. False: it comes slower than `rate`, and what is left was not read. */
export function readContentAt(rate: number): boolean {
  const content = { isWhole: false };
  const reading = ngx.thread.spawn(() => {
    ngx.req.read_body();
    content.isWhole = true;
  });
  // Mostly it has come with the header.
  while (!content.isWhole) {
    const before = bytesRead();
    const pause = ngx.thread.spawn(() => ngx.sleep(windowSeconds));
    ngx.thread.wait(reading, pause);
    ngx.thread.kill(pause);
    if (!content.isWhole && bytesRead() - before < rate * windowSeconds) {
      ngx.thread.kill(reading);
      return false;
    }
  }
  return true;
}

/** Of the request so far, its header included. */
const bytesRead = (): number => tonumber(ngx.var.request_length) ?? 0;
