import type { RedirectRule, UrlRewriteRule } from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { findPattern } from '@breakwater/contract/pattern-find';
import { toByteString } from '@breakwater/policy/lib/bytes';
import { decideRedirect, prepareRedirects } from '@breakwater/policy/rewrite/redirect';
import type { RewriteRequest } from '@breakwater/policy/rewrite/template';
import { evaluateCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { prepareUrlRewrites, rewriteUrl } from '@breakwater/policy/rewrite/url';
import { conditionInBytes, factsOfTrial } from '../../../../domain/condition/trial.ts';

/** What becomes of an address by the rules of a form: the redirects a browser would follow, then what the origin is asked. Rules by their places from 0. */
export interface RewriteTrace {
  hops: { rule: number; status: number; location: string }[];
  isEndless: boolean;
  /** Absent: the last redirect leads away from this site. */
  origin?: { rules: number[]; target: string };
}

export interface RewriteRules {
  redirects: readonly RedirectRule[];
  url_rewrites: readonly UrlRewriteRule[];
}

/** Browsers give up after about twenty redirects; a circle is told long before. */
const hopsMax = 10;
/** An address for documentation (RFC 5737). */
const visitorAddress = '192.0.2.1';

/**
 * `hosts`: of the site; an address without a host is of the first. `time`: in seconds since 1970. Nothing for what is no
 * address.
 */
export function traceRewriting(
  rules: RewriteRules,
  address: string,
  hosts: readonly string[],
  time: number,
): RewriteTrace | undefined {
  let url = urlOf(address, `https://${(hosts[0] ?? 'example.com').replace('*.', 'www.')}`);
  if (url === undefined) return undefined;
  const redirects = prepareRedirects(rules.redirects.map((rule) => ({ ...rule, ...inBytes(rule) })));
  const rewrites = prepareUrlRewrites(rules.url_rewrites.map((rule) => ({ ...rule, ...inBytes(rule) })));
  const trace: RewriteTrace = { hops: [], isEndless: false };
  while (trace.hops.length < hopsMax) {
    const holds = conditionsOf(url, time);
    const redirect = decideRedirect(redirects, requestOf(url), holds, findPattern);
    if (redirect === undefined) {
      const { target, indexes } = rewriteUrl(rewrites, requestOf(url), holds, findPattern);
      return { ...trace, origin: { target, rules: indexes } };
    }
    trace.hops.push({ rule: redirect.index, status: redirect.status, location: redirect.location });
    // A redirect to another host ends it: what answers there is not known here.
    const next = urlOf(redirect.location, url.origin);
    if (next === undefined || !hosts.some((host) => isHost(next.hostname, host))) return trace;
    url = next;
  }
  return { ...trace, isEndless: true };
}

function urlOf(address: string, base: string): URL | undefined {
  if (!address.startsWith('/') && !/^https?:\/\//.test(address)) return undefined;
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

/** As nodes find a site by its domains: a wildcard is for every name below it, and not for the name itself. */
const isHost = (name: string, host: string) =>
  host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host;

const inBytes = ({ from, to, condition }: RedirectRule | UrlRewriteRule) => ({
  from: toByteString(from),
  to: toByteString(to),
  ...(condition === undefined ? {} : { condition: conditionInBytes(condition) }),
});

/** Whether a rule's condition suits the request for an address; one that cannot be decided does not, as on a node. */
function conditionsOf({ href }: URL, time: number) {
  const facts = factsOfTrial({ method: 'GET', url: href, headers: '', ip: visitorAddress, time })!;
  return ({ condition }: { condition?: PreparedCondition }): boolean =>
    condition === undefined ||
    evaluateCondition(condition, { facts, tryRegex: matchPattern, decidedBy: -1 }) === 1;
}

function requestOf(url: URL): RewriteRequest {
  const scheme = url.protocol.slice(0, -1);
  return {
    scheme,
    host: url.hostname,
    port: url.port || (scheme === 'https' ? '443' : '80'),
    target: toByteString(url.pathname + url.search),
    method: 'GET',
    clientIp: visitorAddress,
    requestId: '0',
  };
}
