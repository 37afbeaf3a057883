import type { Cors } from '@breakwater/contract/site-config/cors';
import { lowerAscii, trimOws } from '../lib/text.ts';

/** Which pages of other sites may read answers (Fetch standard §3.2). */

export interface CorsField {
  name: string;
  value: string;
}

/** What a browser asks before a request that is more than a plain one. */
export interface Preflight {
  origin: string | undefined;
  method: string | undefined;
  headers: string | undefined;
}

const originBytesMax = 300;

/** Fields of an answer; none: the page may not read it. */
export function corsFields(settings: Cors, origin: string | undefined): CorsField[] {
  const allowed = allowedOrigin(settings, origin);
  if (allowed === undefined) return [];
  const fields = commonFields(settings, allowed);
  if (settings.exposed_headers.length > 0)
    fields.push({ name: 'Access-Control-Expose-Headers', value: settings.exposed_headers.join(', ') });
  return fields;
}

/** Whether an answer depends on who asks, so that none is kept for another page. */
export const dependsOnOrigin = ({ origins }: Cors): boolean => !hasAny(origins);

/** Fields of the answer to a preflight; nothing: it is refused. */
export function preflightFields(
  settings: Cors,
  { origin, method, headers }: Preflight,
): CorsField[] | undefined {
  const allowed = allowedOrigin(settings, origin);
  if (allowed === undefined || method === undefined) return undefined;
  let isAllowed = false;
  for (const each of settings.methods) if (each === method) isAllowed = true;
  const names = namesIn(headers ?? '');
  if (!isAllowed || names === undefined) return undefined;
  const isAny = hasAny(settings.headers);
  for (const name of names) if (!isAny && !isNamed(settings.headers, name)) return undefined;
  const fields = commonFields(settings, allowed);
  fields.push({ name: 'Access-Control-Allow-Methods', value: settings.methods.join(', ') });
  if (names.length > 0) fields.push({ name: 'Access-Control-Allow-Headers', value: names.join(', ') });
  fields.push({ name: 'Access-Control-Max-Age', value: `${settings.max_age_seconds}` });
  return fields;
}

function commonFields({ credentials }: Cors, allowed: string): CorsField[] {
  const fields = [{ name: 'Access-Control-Allow-Origin', value: allowed }];
  if (credentials) fields.push({ name: 'Access-Control-Allow-Credentials', value: 'true' });
  return fields;
}

/** What `Access-Control-Allow-Origin` says; nothing: it is not there. */
function allowedOrigin({ origins, credentials }: Cors, origin: string | undefined): string | undefined {
  if (origin === undefined || origin === '' || origin.length > originBytesMax) return undefined;
  if (hasAny(origins) && !credentials) return '*';
  const asked = lowerAscii(origin);
  for (const pattern of origins) if (fitsOrigin(pattern, asked)) return origin;
  return undefined;
}

function hasAny(list: readonly string[]): boolean {
  for (const each of list) if (each === '*') return true;
  return false;
}

function fitsOrigin(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === origin;
  const head = pattern.substring(0, star);
  const tail = pattern.substring(star + 1);
  if (tail === '' || origin.length <= head.length + tail.length) return false;
  if (!origin.startsWith(head) || !origin.endsWith(tail)) return false;
  for (let index = head.length; index < origin.length - tail.length; index++)
    if (!isOfHost(origin.charCodeAt(index))) return false;
  return true;
}

/** Letters in lower case, digits, `-`, `.` and `_`. */
function isOfHost(code: number): boolean {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return true;
  return code === 45 || code === 46 || code === 95;
}

const namesMax = 100;

/** In lower case; nothing where one is none. */
function namesIn(list: string): string[] | undefined {
  const names: string[] = [];
  for (const item of list.split(',')) {
    const name = lowerAscii(trimOws(item));
    if (name === '') continue;
    for (let index = 0; index < name.length; index++)
      if (!isOfToken(name.charCodeAt(index))) return undefined;
    names.push(name);
  }
  return names.length > namesMax ? undefined : names;
}

/** Signs of a token that are in names of fields: letters, digits, `!#$%&'*+-.^_` and three more. */
function isOfToken(code: number): boolean {
  if (isOfHost(code) || code === 33 || (code >= 35 && code <= 39)) return true;
  return code === 42 || code === 43 || code === 94 || code === 96 || code === 124 || code === 126;
}

function isNamed(names: readonly string[], name: string): boolean {
  for (const each of names) if (lowerAscii(each) === name) return true;
  return false;
}

/** `Vary` with one name more. */
export function varyWith(own: string | undefined, name: string): string {
  if (own === undefined || own === '') return name;
  for (const item of own.split(',')) {
    const each = lowerAscii(trimOws(item));
    if (each === '*' || each === lowerAscii(name)) return own;
  }
  return `${own}, ${name}`;
}
