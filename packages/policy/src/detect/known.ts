import { splitTarget } from '../http/path.ts';
import { heldOf, keep } from '../lib/holding.ts';
import { blank, skip } from './bytes.ts';
import { decodePercent, hasPercent } from './decode-bytes.ts';
import { fitsParts } from '../conditions/text-match.ts';
import {
  anchoredIn,
  headerKey,
  type Glob,
  type PreparedCondition,
  type PreparedKnown,
  type PreparedKnownRule,
} from './known-rules.ts';
import type { DetectRequest, HeaderLine } from './types.ts';

/** Which rules for known vulnerabilities a request is an attack by. */

const targetBytes = 512;
const decodings = 3;
const parametersMax = 500;

/** Decoded as often as it was encoded, in lower case. */
function readable(text: string, plus: boolean): string {
  let decoded = decodePercent(text, plus);
  for (let step = 1; step < decodings && hasPercent(decoded); step++) decoded = decodePercent(decoded, false);
  return decoded.toLowerCase();
}

/** Whether a rule may be for a target, or for a header of this name: most requests are none of both. */
export function mayBeKnown(known: PreparedKnown, target: string): boolean {
  if (heldOf(known.plain, target) === true) return false;
  if (anchoredIn(known, readable(target, false)).length > 0) return true;
  if (target.length <= targetBytes) keep(known.plain, target, true);
  return false;
}

export const isTelling = (known: PreparedKnown, header: string): boolean =>
  known.byHeader[headerKey(header)] !== undefined;

interface Asked {
  request: DetectRequest;
  paths: string[];
  query: string | undefined;
  /** Read when a rule asks for them. */
  parameters?: HeaderLine[];
  cookies?: HeaderLine[];
  bodies?: string[];
}

/** `withBody`: those that ask for what is in it, and no others; else all others. */
export function knownIn(
  known: PreparedKnown,
  request: DetectRequest,
  withBody: boolean,
): PreparedKnownRule[] {
  const found: PreparedKnownRule[] = [];
  const numbers = anchoredIn(known, readable(request.target, false));
  for (const { name } of request.headers)
    for (const number of known.byHeader[headerKey(name.toLowerCase())] ?? [])
      numbers[numbers.length] = number;
  if (numbers.length === 0) return found;
  const { path, query } = splitTarget(request.target);
  const asked: Asked = { request, paths: pathsOf(path), query };
  const seen: Record<number, boolean> = {};
  for (const number of numbers) {
    if (seen[number] === true) continue;
    seen[number] = true;
    const rule = known.rules[number]!;
    if (rule.asksForBody === withBody && isFor(rule, asked)) found[found.length] = rule;
  }
  return found;
}

function isFor({ methods, path, conditions }: PreparedKnownRule, asked: Asked): boolean {
  if (methods !== undefined && methods[asked.request.method] !== true) return false;
  if (path !== undefined && !fitsAny(path, asked.paths)) return false;
  for (const condition of conditions) if (!holds(condition, asked)) return false;
  return true;
}

function fitsAny(pattern: Glob, texts: string[]): boolean {
  for (const text of texts) if (fitsParts(text, pattern)) return true;
  return false;
}

/** As it came, and as most servers read it: without dots, double slashes and parameters of segments. */
function pathsOf(path: string): string[] {
  const decoded = readable(path, false).split('\\').join('/');
  const segments: string[] = [];
  let isFolder = false;
  for (const written of decoded.split('/')) {
    const [segment = ''] = written.split(';');
    isFolder = segment === '' || segment === '.' || segment === '..';
    if (segment === '..') segments.pop();
    else if (!isFolder) segments[segments.length] = segment;
  }
  const plain = `/${segments.join('/')}${isFolder && segments.length > 0 ? '/' : ''}`;
  return plain === decoded ? [decoded] : [decoded, plain];
}

function holds({ place, name, value }: PreparedCondition, asked: Asked): boolean {
  if (place === 'body') {
    asked.bodies ??= bodiesOf(asked.request.body);
    return value === undefined || fitsAny(value, asked.bodies);
  }
  if (place === 'query' && name === undefined)
    return (
      asked.query !== undefined && (value === undefined || fitsParts(readable(asked.query, true), value))
    );
  for (const line of linesOf(place, asked)) {
    if (name !== undefined && !fitsParts(line.name, name)) continue;
    if (value === undefined || fitsParts(line.value, value)) return true;
  }
  return false;
}

function bodiesOf(body: string): string[] {
  const plain = body.toLowerCase();
  const decoded = readable(body, true);
  return plain === decoded ? [plain] : [plain, decoded];
}

function linesOf(place: PreparedCondition['place'], asked: Asked): HeaderLine[] {
  if (place === 'query') {
    asked.parameters ??= fieldsOf(asked.query ?? '', '&');
    return asked.parameters;
  }
  if (place === 'cookie') {
    asked.cookies ??= cookiesOf(asked.request.headers);
    return asked.cookies;
  }
  const lines: HeaderLine[] = [];
  for (const { name, value } of asked.request.headers)
    lines[lines.length] = { name: name.toLowerCase(), value: value.toLowerCase() };
  return lines;
}

function cookiesOf(headers: HeaderLine[]): HeaderLine[] {
  const cookies: HeaderLine[] = [];
  for (const { name, value } of headers)
    if (name.toLowerCase() === 'cookie')
      for (const line of fieldsOf(value, ';'))
        cookies[cookies.length] = {
          name: line.name.substring(skip(line.name, 0, blank)),
          value: line.value,
        };
  return cookies;
}

function fieldsOf(text: string, separator: string): HeaderLine[] {
  const fields: HeaderLine[] = [];
  for (const field of text.split(separator)) {
    if (fields.length >= parametersMax) break;
    const equals = field.indexOf('=');
    const name = equals < 0 ? field : field.substring(0, equals);
    const value = equals < 0 ? '' : field.substring(equals + 1);
    fields[fields.length] = { name: readable(name, true), value: readable(value, true) };
  }
  return fields;
}
