import type { ForceHttps, Hsts } from '@breakwater/contract/site-config/certificate-settings';
import { findByHost } from './host.ts';

/** What a site asks of HTTPS, as far as it is decided without a connection. */

const forwardSecret =
  'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:' +
  'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305';
const compatible =
  `${forwardSecret}:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:` +
  'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA';

/**
 * Ciphers of TLS up to 1.2 by level, as OpenSSL names them; those of TLS 1.3 are all good. `modern` is forward secret and
 * authenticated, `compatible` adds what clients of ten years ago need, `old` also key exchange by RSA and, with
 * OpenSSL's security level 0, the hashes of TLS before 1.2.
 */
export const cipherLists: Record<string, string> = {
  modern: forwardSecret,
  compatible,
  old: `${compatible}:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:AES256-SHA256:AES128-SHA:AES256-SHA:@SECLEVEL=0`,
};

/** Whether plain HTTP of this host is redirected. */
export function isForced(settings: ForceHttps, host: string): boolean {
  if (!settings.enabled) return false;
  if (settings.only_domains.length > 0 && !isAmong(settings.only_domains, host)) return false;
  return !isAmong(settings.except_domains, host);
}

function isAmong(domains: string[], host: string): boolean {
  const find = (wanted: string): string | undefined => {
    for (const domain of domains) if (domain === wanted) return domain;
    return undefined;
  };
  return findByHost(host, find) !== undefined;
}

const challengeFolder = '/.well-known/acme-challenge/';
const dash = 45;
const underscore = 95;

/**
 * A challenge of ACME's http-01 (RFC 8555 §8.3): the folder and a token in base64url, nothing else, so that no other path
 * passes for one.
 */
export function isAcmeChallenge(target: string): boolean {
  if (!target.startsWith(challengeFolder)) return false;
  if (target.length === challengeFolder.length) return false;
  for (let index = challengeFolder.length; index < target.length; index++) {
    const code = target.charCodeAt(index);
    const isDigit = code >= 48 && code <= 57;
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!isDigit && !isLetter && code !== dash && code !== underscore) return false;
  }
  return true;
}

/** The same target over HTTPS. */
export function httpsLocation(host: string, port: number, target: string): string {
  return port === 443 ? `https://${host}${target}` : `https://${host}:${port}${target}`;
}

/** The value of Strict-Transport-Security (RFC 6797 §6.1). */
export function hstsField(settings: Hsts): string | undefined {
  if (!settings.enabled) return undefined;
  let field = `max-age=${settings.max_age_seconds}`;
  if (settings.include_subdomains) field += '; includeSubDomains';
  if (settings.preload) field += '; preload';
  return field;
}
