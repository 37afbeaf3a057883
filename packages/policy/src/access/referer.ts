import type { BlockReferer } from '@breakwater/contract/site-config/block-referer';
import { isUnder } from './access.ts';
import { findByHost, normalizeHost } from '../http/host.ts';
import { pathForms } from '../http/path-forms.ts';
import { lastIndexOf, lowerAscii, trimOws } from '../lib/text.ts';

/** Whether a page of another site may show what is asked for. */

export interface RefererRequest {
  /** The host that was asked, as the site has it. */
  host: string;
  /** The site's own. */
  domains: string[];
  /** As it was sent, without the query. */
  path: string;
  referer: string | undefined;
  origin: string | undefined;
}

/** Why a request is refused; `none`: it is not. */
export type RefererReason = 'none' | 'empty' | 'denied' | 'not_allowed';

export function decideReferer(settings: BlockReferer, request: RefererRequest): RefererReason {
  if (!settings.enabled) return 'none';
  const { only_paths: only, except_paths: except } = settings;
  if (only.length + except.length > 0 && !isUnder(only, except, pathForms(request.path), true)) return 'none';
  const referer = trimOws(request.referer ?? '');
  const ofReferer = referer === '' ? ofEmpty(settings) : ofHost(settings, request, hostOfReference(referer));
  if (ofReferer !== 'none' || !settings.check_origin) return ofReferer;
  const origin = trimOws(request.origin ?? '');
  return origin === '' ? 'none' : ofHost(settings, request, hostOfReference(origin));
}

const ofEmpty = ({ allow_empty: allowed }: BlockReferer): RefererReason => (allowed ? 'none' : 'empty');

function ofHost(settings: BlockReferer, request: RefererRequest, host: string | undefined): RefererReason {
  // What names no host belongs to nobody that is listed.
  if (host === undefined)
    return settings.allow.length > 0 || settings.deny.length === 0 ? 'not_allowed' : 'none';
  if (isListed(settings.deny, host)) return 'denied';
  if (settings.allow_same_domain && (host === request.host || isListed(request.domains, host))) return 'none';
  if (isListed(settings.allow, host)) return 'none';
  return settings.allow.length === 0 && settings.deny.length > 0 ? 'none' : 'not_allowed';
}

function isListed(patterns: string[], host: string): boolean {
  const find = (wanted: string): string | undefined => {
    for (const pattern of patterns) if (pattern === wanted) return pattern;
    return undefined;
  };
  return findByHost(host, find) !== undefined;
}

/**
 * The host of an address of HTTP; nothing where it has another scheme, names a user, or holds what no host does. Browsers
 * send none of these, so who does means to be taken for another.
 */
function hostOfReference(reference: string): string | undefined {
  const text = lowerAscii(reference);
  const start = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : -1;
  // Several lines of the field come joined by a comma and a space.
  if (start < 0 || text.indexOf(' ') >= 0) return undefined;
  let end = start;
  while (end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1;
  const authority = text.substring(start, end);
  if (authority === '' || lastIndexOf(authority, '@') >= 0) return undefined;
  for (let index = 0; index < authority.length; index++)
    if (!isOfHost(authority.charCodeAt(index))) return undefined;
  return normalizeHost(authority);
}

const isDelimiter = (code: number): boolean => code === 47 || code === 63 || code === 35;

/** Letters, digits, `-`, `.`, `_`, `:` and brackets. */
function isOfHost(code: number): boolean {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 58)) return true;
  return code === 45 || code === 46 || code === 95 || code === 91 || code === 93;
}
