import { splitTarget } from '../http/path.ts';
import { blank, byteAt, skip } from './bytes.ts';
import { addFields, addOnce, addPart, type Collected } from './extract-form.ts';
import { addJson, addQuoted } from './extract-json.ts';
import { addMultipart } from './extract-multipart.ts';
import { addXml } from './extract-xml.ts';
import type { DetectRequest, HeaderLine, Place } from './types.ts';

const cookiesMax = 200;

/** A piece of a request that is judged by itself: its path, its query, a line of its header. */
export interface Source {
  place: Place;
  /** A header's name in lower case. */
  name: string;
  text: string;
}

export function sourceOfLine({ name, value }: HeaderLine): Source {
  const lower = name.toLowerCase();
  const place = lower === 'cookie' || lower === 'referer' ? lower : 'header';
  return { place, name: lower, text: value };
}

export function addSource(into: Collected, { place, name, text }: Source): void {
  if (place === 'query') addFields(into, place, text);
  else if (place === 'cookie') addCookies(into, text);
  else if (place === 'referer') addReferer(into, text);
  else addPart(into, { place, name, value: text, isName: false, steps: [] });
}

/** What the request's content has in it. */
export function addContent(into: Collected, { headers, body, bodyIsCut }: DetectRequest): void {
  if (bodyIsCut === true) addOnce(into.capped, 'body');
  if (body === '') return;
  let type = '';
  for (const { name, value } of headers) if (name.toLowerCase() === 'content-type') type = value;
  addBody(into, body, type, bodyIsCut === true);
}

/** Everything of a request that a visitor may put something into. */
export function extract(request: DetectRequest): Collected {
  const into: Collected = { parts: [], capped: [] };
  const { path, query } = splitTarget(request.target);
  addSource(into, { place: 'path', name: '', text: path });
  if (query !== undefined) addSource(into, { place: 'query', name: '', text: query });
  for (const line of request.headers) addSource(into, sourceOfLine(line));
  addContent(into, request);
  return into;
}

function addCookies(into: Collected, header: string): void {
  let start = 0;
  for (let count = 0; start < header.length; count++) {
    if (count >= cookiesMax) {
      addOnce(into.capped, 'cookies');
      return;
    }
    let stop = header.indexOf(';', start);
    if (stop < 0) stop = header.length;
    const from = skip(header, start, blank);
    const equals = header.indexOf('=', from);
    const isNamed = equals >= 0 && equals < stop;
    const name = isNamed ? header.substring(from, equals) : '';
    addPart(into, {
      place: 'cookie',
      name,
      value: header.substring(isNamed ? equals + 1 : from, stop),
      isName: false,
      steps: [],
    });
    start = stop + 1;
  }
}

/** Path and query of the page that a visitor comes from; software that counts visits takes them in. */
function addReferer(into: Collected, value: string): void {
  const host = value.indexOf('://');
  const slash = value.indexOf('/', host < 0 ? 0 : host + 3);
  if (host < 0 || host > 8) {
    addPart(into, { place: 'referer', name: '', value, isName: false, steps: [] });
    return;
  }
  if (slash < 0) return;
  const { path, query } = splitTarget(value.substring(slash));
  addPart(into, { place: 'referer', name: '', value: path, isName: false, steps: [] });
  if (query !== undefined) addFields(into, 'referer', query);
}

/** By its first byte where that is clear, else by its type; only what is said to be a form is read as one. */
function addBody(into: Collected, body: string, contentType: string, isCut: boolean): void {
  const type = contentType.toLowerCase();
  if (type.indexOf('multipart/') >= 0 && addMultipart(into, body, contentType)) return;
  const first = byteAt(body, skip(body, 0, blank));
  const isForm = type.indexOf('x-www-form-urlencoded') >= 0;
  if (first === 123 || first === 91) {
    if (addJson(into, 'json', body, '', [])) return;
    if (isCut || type.indexOf('json') >= 0) addQuoted(into, 'json', body, []);
  }
  if (first === 60 && !isForm) {
    addXml(into, body);
    return;
  }
  if (isForm) {
    addFields(into, 'form', body);
    return;
  }
  if (isText(body)) addPart(into, { place: 'body', name: '', value: body, isName: false, steps: [] });
  else addPart(into, { place: 'file', name: '', value: body.substring(0, 4096), isName: false, steps: [] });
}

/** Hardly any bytes that no text has. */
function isText(body: string): boolean {
  let odd = 0;
  const stop = body.length < 2000 ? body.length : 2000;
  for (let at = 0; at < stop; at++) {
    const code = body.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) odd += 1;
  }
  return odd * 50 <= stop;
}
