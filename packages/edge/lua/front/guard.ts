import { bypassCache } from './bypass.ts';
import type { ForceHttps } from '@breakwater/contract/site-config/certificate-settings';
import { prepareCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { httpsLocation, hstsField, isAcmeChallenge, isForced } from '@breakwater/policy/http/tls';
import { verdictOf } from './facts.ts';
import type { Site } from '../site/site.ts';
import { isMadeFor, type SiteTls } from '../tls/tls-settings.ts';

interface Redirect {
  status: number;
  port: number;
  /** Absent: every request. */
  condition: PreparedCondition | undefined;
}

/** What a host asks of HTTPS before its requests are answered; most ask nothing and have none. */
export interface Guard {
  /** Plain requests are sent to this port of HTTPS. */
  redirect: Redirect | undefined;
  hsts: string | undefined;
  tls: SiteTls | undefined;
}

export function guardOf(site: Site, host: string): Guard | undefined {
  const settings = site.document.certificate_settings;
  const force = settings.force_https;
  const redirect = force !== undefined && isForced(force, host) ? redirectOf(force) : undefined;
  const hsts = settings.hsts === undefined ? undefined : hstsField(settings.hsts);
  if (redirect === undefined && hsts === undefined && site.tls === undefined) return undefined;
  return { redirect, hsts, tls: site.tls };
}

function redirectOf({ status, port, condition }: ForceHttps): Redirect {
  return { status, port, condition: condition === undefined ? undefined : prepareCondition(condition) };
}

/** What cannot be decided is sent to HTTPS. */
function suits({ condition }: Redirect): boolean {
  return condition === undefined || verdictOf(condition) !== 0;
}

/** The page that stands in the way of a request, if any. Sets what the visitor and the origin are told besides. */
export function pageBefore(guard: Guard, scheme: string): string | undefined {
  const variables = ngx.var;
  const client = guard.tls?.client;
  if (scheme === 'http') {
    const isClosed = client !== undefined && client.mode === 'require';
    if (guard.redirect === undefined && !isClosed) return undefined;
    if (isAcmeChallenge(variables.request_uri!)) return undefined;
    if (guard.redirect !== undefined && suits(guard.redirect)) return 'redirect';
    return isClosed ? 'client_certificate' : undefined;
  }
  if (guard.hsts !== undefined) variables.edge_hsts = guard.hsts;
  if (guard.tls === undefined) return undefined;
  if (!isMadeFor(guard.tls)) return 'misdirected';
  if (client === undefined) return undefined;
  const verified = variables.ssl_client_verify;
  if (verified !== 'SUCCESS') return client.mode === 'require' ? 'client_certificate' : undefined;
  if (client.pass_to_origin) {
    variables.edge_client = verified;
    variables.edge_client_subject = variables.ssl_client_s_dn;
    variables.edge_client_fingerprint = variables.ssl_client_fingerprint;
    // What the origin answers to one visitor is nobody else's.
    bypassCache();
  }
  return undefined;
}

/** Answers with the redirect to HTTPS. */
export function sendToHttps(host: string, { status, port }: Redirect): void {
  const location = httpsLocation(host, port, ngx.var.request_uri!);
  ngx.status = status;
  ngx.header.Location = location;
  ngx.header['Content-Type'] = 'text/plain; charset=utf-8';
  ngx.print(`${location}\n`);
}
