import { normalizePath, splitTarget } from '../http/path.ts';
import { escapeForAddress, escapeForArgument, escapeForPath, escapeWritten } from './text.ts';

/** A request as rewriting rules see it. */
export interface RewriteRequest {
  scheme: string;
  host: string;
  /** The visitor's, as text. */
  port: string;
  /** Path and query as they were sent, or as an earlier rule left them. */
  target: string;
  method: string;
  clientIp: string;
  requestId: string;
}

/** Text as written, the name of a variable, or the number of a group. */
export interface TemplatePart {
  text?: string;
  variable?: string;
  group?: number;
  /** Behind a `?`. */
  inQuery: boolean;
}

const dollar = 36;

/** The contract has checked the text: a dollar sign that begins nothing stands for itself. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let inQuery = false;
  let literal = '';
  let index = 0;
  const end = (part: TemplatePart | undefined, length: number) => {
    if (literal !== '') parts.push({ text: literal, inQuery });
    if (literal.indexOf('?') >= 0) inQuery = true;
    literal = '';
    if (part !== undefined) parts.push({ ...part, inQuery });
    index += length;
  };
  while (index < text.length) {
    const part = text.charCodeAt(index) === dollar ? partAt(text, index) : undefined;
    if (part !== undefined) end(part, part.variable === undefined ? 2 : part.variable.length + 3);
    else if (text.substring(index, index + 2) === '$$') {
      literal += '$';
      index += 2;
    } else {
      literal += text.substring(index, index + 1);
      index += 1;
    }
  }
  end(undefined, 0);
  return parts;
}

function partAt(text: string, index: number): TemplatePart | undefined {
  const code = text.charCodeAt(index + 1);
  if (code >= 49 && code <= 57) return { group: code - 48, inQuery: false };
  if (text.substring(index + 1, index + 2) !== '{') return undefined;
  const close = text.indexOf('}', index);
  return close < 0 ? undefined : { variable: text.substring(index + 2, close), inQuery: false };
}

/** Of one visitor or one request: what is made of it is nobody else's. */
export function isPersonalTemplate(parts: TemplatePart[]): boolean {
  for (const { variable } of parts)
    if (variable === 'client_ip' || variable === 'request_id' || variable === 'method') return true;
  return false;
}

function variableOf(request: RewriteRequest, name: string): string {
  if (name === 'host') return request.host;
  if (name === 'scheme') return request.scheme;
  if (name === 'method') return request.method;
  if (name === 'client_ip') return request.clientIp;
  if (name === 'request_id') return request.requestId;
  const { path, query } = splitTarget(request.target);
  if (name === 'query') return query === undefined ? '' : escapeWritten(query);
  const escaped = escapeForPath(normalizePath(path));
  if (name === 'path' || query === undefined) return escaped;
  return `${escaped}?${escapeWritten(query)}`;
}

/** The value of a field: variables and groups as they are. */
export function fillField(parts: TemplatePart[], request: RewriteRequest, groups: string[]): string {
  const texts: string[] = [];
  for (const { text, variable, group } of parts) {
    if (text !== undefined) texts.push(text);
    else if (variable !== undefined) texts.push(variableOf(request, variable));
    else texts.push(groups[group! - 1] ?? '');
  }
  return texts.join('');
}

/** An address: what comes from the request stays within the part of it where it was put. */
export function fillAddress(parts: TemplatePart[], request: RewriteRequest, groups: string[]): string {
  const texts: string[] = [];
  for (const { text, variable, group, inQuery } of parts) {
    if (text !== undefined) texts.push(escapeForAddress(text));
    else if (variable !== undefined)
      texts.push(addressPart(variableOf(request, variable), variable, inQuery));
    else {
      const value = groups[group! - 1] ?? '';
      texts.push(inQuery ? escapeForArgument(value) : escapeForPath(value));
    }
  }
  return texts.join('');
}

/** A path is escaped already; elsewhere in a path, a query is mere text. */
function addressPart(value: string, name: string, inQuery: boolean): string {
  if (inQuery) return escapeForArgument(value);
  return name === 'path' || name === 'host' || name === 'scheme' ? value : escapeForPath(value);
}
