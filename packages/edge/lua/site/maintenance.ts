import type { Closing } from '@breakwater/policy/site/site-state';

/** For `Retry-After`: until the end that was set, else as the site says. */
export function secondsToOpening(closing: Closing): number {
  return closing.until === undefined
    ? closing.retrySeconds
    : math.max(1, math.ceil(closing.until - ngx.now()));
}
