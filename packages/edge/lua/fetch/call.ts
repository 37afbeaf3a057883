import { originHost, originScheme, originServerName } from '@breakwater/policy/origin/origin';
import { tidyFields, endAsking, prepare, turnAway, type Attempt } from './ask.ts';
import { lastOf } from './answer.ts';
import { recordSuccess } from './health.ts';
import { enterOrigin } from './room.ts';
import { limitFetch, release } from '../front/limits.ts';
import { withholdsAnswer } from '../protect/answer.ts';
import { countAnswer } from '../protect/guard-answers.ts';
import { appliedRates } from '../hop/told.ts';
import { entryOf } from '../site/host.ts';

/** The way of a gRPC call to an origin, in one step: what the front and the fetch server do for other requests. */

/**
 * Without TLS, connections are kept for the next call as the site says. With TLS each call has its own: nginx tells kept
 * ones apart by address only, and not by the name and the verification that they were made with.
 */
export function callAccess(): void {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) {
    ngx.exit(502);
    return;
  }
  const { site, host } = entry;
  const address = variables.client_addr!;
  if (limitFetch(site, address, appliedRates)) {
    ngx.exit(503);
    return;
  }
  tidyFields(site);
  const scheme = originScheme(site.origins, variables.scheme!);
  if (!enterOrigin(site.key, false)) {
    turnAway();
    return;
  }
  const attempt = prepare(entry, scheme, {
    host,
    target: variables.request_uri!,
    address,
    port: variables.server_port!,
  });
  if (attempt === undefined) return;
  ngx.ctx.attempt = attempt;
  variables.origin_host = originHost(site.origins, host);
  if (scheme !== 'https') {
    const seconds = site.origins.keepalive_seconds;
    if (seconds > 0) variables.origin_upstream = `origins_calls_${seconds}`;
    return;
  }
  variables.origin_scheme = 'grpcs';
  variables.origin_upstream = 'origins_https_0';
  variables.origin_sni = originServerName(site.origins, host);
}

export function callHeaders(): void {
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  if (attempt !== undefined && attempt.isAsked) recordSuccess(attempt.places[attempt.last]!);
  withholdsAnswer(entryOf(ngx.var.host!)?.site.protection, 500);
}

/** The end of a call, however it came; the log has the origin from here. */
export function callDone(): void {
  const variables = ngx.var;
  release();
  countAnswer();
  endAsking(ngx.ctx.attempt as Attempt | undefined);
  variables.stated_addr = lastOf(variables.upstream_addr) ?? '';
  variables.stated_status = lastOf(variables.upstream_status) ?? '0';
  variables.stated_time = lastOf(variables.upstream_response_time) ?? '0';
  variables.stated_bytes = lastOf(variables.upstream_response_length) ?? '0';
}
