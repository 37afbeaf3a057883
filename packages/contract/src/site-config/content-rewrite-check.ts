import type * as z from 'zod';
import { isHostName, isIpAddress } from '../common.ts';
import { patternProblem } from '../condition-check.ts';

/** What of a rewriting rule can be told wrong before any request comes. */

type Issues = z.core.$ZodRawIssue[];
const issueIn = (issues: Issues) => (field: string, message: string, input: unknown) =>
  issues.push({ code: 'custom', path: [field], message, input });

export const htmlTypes = ['text/html'] as const;

/** `text/html`, `text/*`. */
export function isMediaTypePattern(text: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/.test(text);
}

export const rewriteVariables = [
  'host',
  'scheme',
  'method',
  'path',
  'query',
  'uri',
  'client_ip',
  'request_id',
] as const;
export type RewriteVariable = (typeof rewriteVariables)[number];

const variable = new RegExp(`^\\$\\{(?:${rewriteVariables.join('|')})\\}`);

/** Whether every dollar sign is a variable, a group of the pattern, or one that is doubled. */
function isTemplate(text: string, hasGroups: boolean): boolean {
  let at = text.indexOf('$');
  while (at >= 0) {
    const rest = text.slice(at);
    const known = variable.exec(rest)?.[0] ?? (hasGroups ? /^\$[1-9]/ : /^\$\$/).exec(rest)?.[0];
    const length = known?.length ?? (rest.startsWith('$$') ? 2 : 0);
    if (length === 0) return false;
    at = text.indexOf('$', at + length);
  }
  return true;
}

/** No space, control character, quote or backslash: browsers take a backslash for a slash. */
const addressText = /^[^\p{Cc}\s"<>\\]+$/u;
const fullAddress = /^(https?|\$\{scheme\}):\/\/([^/?#]+)(.*)$/;

/** A host written out or `${host}`, and a port if any. */
function isAuthority(text: string): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  if (host === '${host}') return true;
  if (host.startsWith('[') && host.endsWith(']')) return isIpAddress(host.slice(1, -1));
  return isHostName(host.toLowerCase()) || isIpAddress(host);
}

const isPath = (text: string) => /^\/(?![/\\])/.test(text);

/** A path or a full address, whose host no request can choose. */
function isTarget(text: string): boolean {
  if (!addressText.test(text)) return false;
  const [, , authority, rest = ''] = fullAddress.exec(text) ?? [];
  if (authority === undefined) return isPath(text);
  return isAuthority(authority) && (rest === '' || /^[/?#]/.test(rest));
}

interface CheckedRedirect {
  type: string;
  from: string;
  to: string;
  keep_path: boolean;
  case_insensitive: boolean;
}

export function checkRedirect(rule: CheckedRedirect, issues: Issues): void {
  const { type, from, to, keep_path: keepPath } = rule;
  const add = issueIn(issues);
  const problem = redirectFromProblem(rule);
  if (problem !== undefined) add('from', problem, from);
  if (!isTarget(to)) add('to', 'rewrite_target', to);
  else if (!isTemplate(to, type === 'regex')) add('to', 'rewrite_variable', to);
  else if (keepPath && /[?#]/.test(to) && type !== 'url' && type !== 'regex')
    add('to', 'rewrite_keep_path', to);
  else if (type === 'url' ? from === to : isNested(type, from, to, keepPath)) add('to', 'redirect_loop', to);
}

/** A folder sent into itself: each answer would lead one step deeper. */
function isNested(type: string, from: string, to: string, keepPath: boolean): boolean {
  return type === 'prefix' && keepPath && `${to}/`.startsWith(from);
}

function redirectFromProblem({ type, from, case_insensitive: folded }: CheckedRedirect): string | undefined {
  if (type === 'regex') return patternProblem(from, folded);
  if (type === 'domain') {
    const bare = from.startsWith('*.') ? from.slice(2) : from;
    return isHostName(bare, 2) ? undefined : 'domain_invalid';
  }
  if (type === 'port')
    return /^[1-9]\d{0,4}$/.test(from) && Number(from) <= 65_535 ? undefined : 'port_range';
  const [, scheme, authority, rest = ''] = fullAddress.exec(from) ?? [];
  const path = authority === undefined ? from : rest;
  if (
    authority !== undefined &&
    (scheme === '${scheme}' || !isAuthority(authority) || authority.includes('$'))
  )
    return 'rewrite_from';
  return addressText.test(path) && isPath(path) && !(type === 'prefix' && path.includes('?'))
    ? undefined
    : 'rewrite_from';
}

export function checkUrlRewrite(
  { type, from, to, case_insensitive: folded }: Omit<CheckedRedirect, 'keep_path'>,
  issues: Issues,
): void {
  const add = issueIn(issues);
  if (type === 'regex') {
    const problem = patternProblem(from, folded);
    if (problem !== undefined) add('from', problem, from);
  } else if (!isPath(from) || !addressText.test(from) || from.includes('?'))
    add('from', 'path_absolute', from);
  if (!isPath(to) || !addressText.test(to) || to.includes('#')) add('to', 'path_absolute', to);
  else if (!isTemplate(to, type === 'regex')) add('to', 'rewrite_variable', to);
}

const framing = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** The edge says these itself, of the visitor or of what it stores, or answers are not kept apart by them. */
const ofEdge = {
  request: [
    'accept-encoding',
    'cdn-loop',
    'expect',
    'forwarded',
    'front-end-https',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'if-range',
    'if-unmodified-since',
    'proxy',
    'range',
    'x-client-fingerprint',
    'x-client-subject',
    'x-client-verify',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-path',
    'x-forwarded-port',
    'x-forwarded-prefix',
    'x-forwarded-proto',
    'x-forwarded-protocol',
    'x-forwarded-scheme',
    'x-forwarded-server',
    'x-forwarded-ssl',
    'x-host',
    'x-http-method',
    'x-http-method-override',
    'x-method-override',
    'x-original-host',
    'x-original-url',
    'x-real-ip',
    'x-request-id',
    'x-rewrite-url',
    'x-scheme',
    'x-url-scheme',
  ],
  response: [
    'accept-ranges',
    'age',
    'alt-svc',
    'content-encoding',
    'content-range',
    'date',
    'etag',
    'last-modified',
    'server',
    'strict-transport-security',
    'vary',
    'x-cache',
    'x-request-id',
  ],
};
/** Why nobody but the edge says what this field (in lower case) holds; nothing: others may. */
export function reservedFieldProblem(name: string, side: 'request' | 'response'): string | undefined {
  // Nodes and many origins take one for the other.
  const field = name.replaceAll('_', '-');
  if (framing.includes(field)) return 'field_framing';
  return ofEdge[side].includes(field) || /^x-(?:breakwater|accel)(?:-|$)/.test(field)
    ? 'field_of_edge'
    : undefined;
}

/** A visitor follows these: they have rules of their own, which look where they lead. */
const followed = ['location', 'refresh'];

interface CheckedHeader {
  action: string;
  name: string;
  pattern: string;
  value: string;
}

export function checkHeaderRule(rule: CheckedHeader, side: 'request' | 'response', issues: Issues): void {
  const add = issueIn(issues);
  const name = rule.name.toLowerCase();
  const reserved = reservedFieldProblem(name, side);
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) add('name', 'rewrite_field_name', rule.name);
  else if (reserved !== undefined) add('name', reserved, rule.name);
  else if (followed.includes(name) && (rule.action === 'set' || rule.action === 'add'))
    add('name', 'field_followed', rule.name);
  if (rule.action === 'remove') return;
  if (!/^[\x20-\x7e\t]*$/.test(rule.value)) add('value', 'field_value', rule.value);
  else if (!isTemplate(rule.value, rule.action === 'replace')) add('value', 'rewrite_variable', rule.value);
  else if (rule.value.trim() === '' && rule.action !== 'replace') add('value', 'required', rule.value);
  if (rule.action !== 'replace') return;
  if (rule.pattern === '') add('pattern', 'required', rule.pattern);
  else {
    const problem = patternProblem(rule.pattern, false);
    if (problem !== undefined) add('pattern', problem, rule.pattern);
  }
}
