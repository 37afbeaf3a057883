import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { retrySet } from '@breakwater/policy/origin/origin';

/** Of nginx's locations for origins, one for each set of conditions to try the next, with and without verification. */
export function fetchLocationOf({ retry_on, verify_tls }: OriginServerConfig): string | undefined {
  const set = retrySet(retry_on);
  if (set === 1 && !verify_tls) return undefined;
  return `@${verify_tls ? 'verified' : 'plain'}_${set}`;
}

/** As that, for an origin that must not send interim answers: over HTTP/1.0. */
export function plainLocationOf({ retry_on, verify_tls }: OriginServerConfig): string {
  return `@${verify_tls ? 'verified' : 'plain'}_${retrySet(retry_on)}_http10`;
}

/** Where calls of gRPC go, for a site that takes them. */
export function callLocationOf({
  grpc,
  retry_on,
  verify_tls,
  object_storage: storage,
}: OriginServerConfig): string | undefined {
  // Object storage is only read, and by signed requests.
  if (!grpc || storage !== undefined) return undefined;
  return `@call_${verify_tls ? 'verified' : 'plain'}_${retrySet(retry_on) % 2}`;
}

/** Whether an origin takes only so many requests at once. */
export function hasLimit({ origins }: OriginServerConfig): boolean {
  for (const origin of origins) if (origin.max_conns > 0) return true;
  return false;
}

/** How long an origin may take to begin its answer, and all that are tried together. */
export const answerSeconds = (config: OriginServerConfig): number =>
  config.connect_timeout_seconds + config.send_timeout_seconds + config.read_timeout_seconds;
