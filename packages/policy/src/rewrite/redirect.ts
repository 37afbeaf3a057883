import type { RedirectRule } from '@breakwater/contract/site-config/content-rewrite';
import { prepareCondition, type PreparedCondition } from '../conditions/condition.ts';
import { splitTarget } from '../http/path.ts';
import { readTarget, type RequestPath } from '../http/request-path.ts';
import {
  joinPath,
  matchPath,
  preparePath,
  type FindRegex,
  type PathMatch,
  type PathMatcher,
} from './match.ts';
import {
  fillAddress,
  isPersonalTemplate,
  parseTemplate,
  type RewriteRequest,
  type TemplatePart,
} from './template.ts';
import { escapeWritten } from './text.ts';

/** An enabled redirect made ready; `index` is its place among all of the site, from 0. */
export interface PreparedRedirect {
  index: number;
  rule: RedirectRule;
  /** url and prefix: only of this scheme and host, where one is written. */
  scheme?: string;
  host?: string;
  port?: string;
  /** url, prefix and regex. */
  path?: PathMatcher;
  /** url: only with exactly this query, where one is written. */
  query?: string;
  to: TemplatePart[];
  /** Not the same for every request of one address. */
  isPersonal: boolean;
  condition?: PreparedCondition;
}

export interface Redirect {
  index: number;
  status: number;
  location: string;
}

/** No address is made longer than browsers and proxies take. */
const addressBytesMax = 8000;

export function prepareRedirects(rules: RedirectRule[]): PreparedRedirect[] {
  const prepared: PreparedRedirect[] = [];
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    if (!rule.enabled) continue;
    const to = parseTemplate(rule.to);
    const redirect: PreparedRedirect = { index, rule, to, isPersonal: isPersonalTemplate(to) };
    if (rule.condition !== undefined) redirect.condition = prepareCondition(rule.condition);
    if (rule.type === 'regex') redirect.path = preparePath('regex', rule.from, rule.case_insensitive);
    else if (rule.type === 'url' || rule.type === 'prefix') prepareFrom(redirect, rule);
    prepared.push(redirect);
  }
  return prepared;
}

function prepareFrom(
  redirect: PreparedRedirect,
  { type, from, case_insensitive: insensitive }: RedirectRule,
): void {
  const mark = from.indexOf('://');
  let target = from;
  if (!from.startsWith('/') && mark > 0) {
    const slash = from.indexOf('/', mark + 3);
    const authority = from.substring(mark + 3, slash < 0 ? from.length : slash).toLowerCase();
    const colon = authority.indexOf(':');
    redirect.scheme = from.substring(0, mark);
    redirect.host = colon < 0 ? authority : authority.substring(0, colon);
    if (colon >= 0) redirect.port = authority.substring(colon + 1);
    target = slash < 0 ? '/' : from.substring(slash);
  }
  const { path, query } = splitTarget(target);
  if (query !== undefined) redirect.query = query;
  redirect.path = preparePath(type === 'url' ? 'path' : 'prefix', path, insensitive);
}

/** Whether decisions depend on the port that the visitor used. */
export function usesPort(redirects: PreparedRedirect[]): boolean {
  for (const { rule, port } of redirects) if (rule.type === 'port' || port !== undefined) return true;
  return false;
}

/** The first redirect that fits and that leads elsewhere. `holds`: whether a rule's own condition is met. */
export function decideRedirect(
  redirects: PreparedRedirect[],
  request: RewriteRequest,
  holds: (redirect: PreparedRedirect) => boolean,
  find: FindRegex,
): Redirect | undefined {
  const path = readTarget(request.target);
  for (const redirect of redirects) {
    const match = matchRedirect(redirect, request, path, find);
    if (match === undefined || !holds(redirect)) continue;
    const location = locationOf(redirect, request, match);
    if (location.length > addressBytesMax || leadsBack(location, request)) continue;
    return { index: redirect.index, status: redirect.rule.status, location };
  }
  return undefined;
}

function matchRedirect(
  redirect: PreparedRedirect,
  request: RewriteRequest,
  path: RequestPath,
  find: FindRegex,
): PathMatch | undefined {
  const { type, from } = redirect.rule;
  if (type === 'port')
    return request.port === from ? { rest: path.plain.substring(1), groups: [] } : undefined;
  if (type === 'domain')
    return isOfDomain(request.host, from) ? { rest: path.plain.substring(1), groups: [] } : undefined;
  if (redirect.scheme !== undefined && redirect.scheme !== request.scheme) return undefined;
  if (redirect.host !== undefined && redirect.host !== request.host) return undefined;
  if (redirect.port !== undefined && redirect.port !== request.port) return undefined;
  if (redirect.query !== undefined && splitTarget(request.target).query !== redirect.query) return undefined;
  return matchPath(redirect.path!, path, find);
}

function isOfDomain(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.substring(1)) : host === domain;
}

function locationOf(
  { rule, to, query: ownQuery }: PreparedRedirect,
  request: RewriteRequest,
  match: PathMatch,
): string {
  const { path, query } = splitTarget(request.target);
  let address = fillAddress(to, request, match.groups);
  if (rule.keep_path && rule.type !== 'url' && rule.type !== 'regex')
    address = joinPath(address, path, match.rest);
  // Two slashes at its start would make the next part a host.
  while (address.startsWith('//')) address = address.substring(1);
  return rule.keep_query && query !== undefined && ownQuery === undefined
    ? withQuery(address, query)
    : address;
}

/** The visitor's arguments behind those that are there, and not once more where they begin with the same. */
export function withQuery(address: string, query: string): string {
  const hash = address.indexOf('#');
  const bare = hash < 0 ? address : address.substring(0, hash);
  const fragment = hash < 0 ? '' : address.substring(hash);
  const given = escapeWritten(query);
  const mark = bare.indexOf('?');
  if (given === '') return address;
  if (mark < 0) return `${bare}?${given}${fragment}`;
  const own = bare.substring(mark + 1);
  if (own === '' || given === own || given.startsWith(`${own}&`))
    return `${bare.substring(0, mark)}?${given}${fragment}`;
  return `${bare}&${given}${fragment}`;
}

/** A visitor who followed it would ask for the same again. */
function leadsBack(location: string, { scheme, host, port, target }: RewriteRequest): boolean {
  const hash = location.indexOf('#');
  const bare = hash < 0 ? location : location.substring(0, hash);
  const asked = escapeWritten(target);
  if (bare === asked) return true;
  const beginning = `${scheme}://${host}`;
  if (!bare.startsWith(beginning)) return false;
  let rest = bare.substring(beginning.length);
  if (rest.startsWith(`:${port}`)) rest = rest.substring(port.length + 1);
  else if (rest.startsWith(':')) return false;
  return rest === asked || `/${rest}` === asked;
}
