import { lowerAscii, trimOws } from '../lib/text.ts';

/** What a request says of who can be asked, in which language, and what its form may be kept for. */

export interface AskedFor {
  accept: string | undefined;
  requestedWith: string | undefined;
  /** `Sec-Fetch-Dest`, which newer browsers send. */
  destination: string | undefined;
  contentType: string | undefined;
}

/** A page is of use to whoever shows pages; programs and parts of pages get JSON. */
export function wantsPage({ accept, requestedWith, destination, contentType }: AskedFor): boolean {
  if (destination !== undefined && destination !== '')
    return destination === 'document' || destination === 'iframe' || destination === 'frame';
  if (requestedWith !== undefined && lowerAscii(requestedWith) === 'xmlhttprequest') return false;
  if (contentType !== undefined && isJson(contentType)) return false;
  if (accept === undefined || accept === '') return true;
  // As browsers write it: most need no look at each letter.
  if (accept.indexOf('text/html') >= 0) return true;
  const field = lowerAscii(accept);
  if (field.indexOf('text/html') >= 0) return true;
  return !isJson(field) && (field.indexOf('*/*') >= 0 || field.indexOf('text/') >= 0);
}

const isJson = (field: string): boolean => {
  const lower = lowerAscii(field);
  return lower.indexOf('/json') >= 0 || lower.indexOf('+json') >= 0;
};

/** Of `available`, the language that a visitor likes best (`Accept-Language`, RFC 9110 §12.5.4); else `otherwise`. */
export function chooseLanguage(
  field: string | undefined,
  available: Record<string, unknown>,
  otherwise: string,
): string {
  if (field === undefined) return otherwise;
  let best = otherwise;
  let bestWeight = 0;
  for (const item of field.substring(0, 500).split(',')) {
    const [tag, ...parameters] = item.split(';');
    const weight = weightOf(parameters);
    if (weight <= bestWeight) continue;
    const known = knownLanguage(lowerAscii(trimOws(tag!)), available);
    if (known === undefined) continue;
    best = known;
    bestWeight = weight;
  }
  return best;
}

function weightOf(parameters: string[]): number {
  for (const parameter of parameters) {
    const [name, value] = trimOws(parameter).split('=');
    if (name !== 'q' || value === undefined) continue;
    const [whole, part] = value.split('.');
    if (whole === '1') return 1000;
    let weight = 0;
    const digits = `${part ?? ''}000`;
    for (let index = 0; index < 3; index++) weight = weight * 10 + (digits.charCodeAt(index) - 48);
    return weight >= 0 && weight < 1000 ? weight : 0;
  }
  return 1000;
}

/** Chinese is written in two ways; of other languages the region says nothing here. */
function knownLanguage(tag: string, available: Record<string, unknown>): string | undefined {
  if (tag === 'zh' || tag.startsWith('zh-')) {
    const isTraditional = tag.endsWith('-tw') || tag.endsWith('-hk') || tag.indexOf('hant') >= 0;
    return isTraditional ? 'zh-hant' : 'zh';
  }
  const language = tag.split('-')[0]!;
  return language !== '' && available[language] !== undefined ? language : undefined;
}

export const formBytesMax = 8192;

/**
 * Whether the content of a request may be sent again by the page: a plain form, not large, and sent by a page of the same site.
 * One of another site's would otherwise be sent anew as if this site had made it, with cookies that it came without.
 */
export function isFormKept(request: {
  method: string;
  contentType: string | undefined;
  length: number | undefined;
  origin: string | undefined;
  site: string | undefined;
  /** `https://example.com`, as the visitor's browser would name this site. */
  self: string;
}): boolean {
  if (request.method !== 'POST' || request.length === undefined || request.length > formBytesMax)
    return false;
  const kind = trimOws(lowerAscii((request.contentType ?? '').split(';')[0]!));
  if (kind !== 'application/x-www-form-urlencoded') return false;
  if (request.site !== undefined && request.site !== 'same-origin') return false;
  return request.origin !== undefined && lowerAscii(request.origin) === request.self;
}

/** Names and values of such a form, in their order. */
export function formFields(
  content: string,
  decode: (this: void, text: string) => string,
): [string, string][] {
  const fields: [string, string][] = [];
  for (const pair of content.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.substring(0, equals);
    const value = equals < 0 ? '' : pair.substring(equals + 1);
    fields.push([decode(name.split('+').join(' ')), decode(value.split('+').join(' '))]);
  }
  return fields;
}

/** The passes' cookie; that of the first kind, on its way, is sent to no other path. */
export const passCookie = 'bw_pass';

/** A request's `Cookie` field without the edge's own; nothing where none is left. */
export function withoutPass(field: string): string | undefined {
  const kept: string[] = [];
  for (const item of field.split(';')) {
    const equals = item.indexOf('=');
    const name = trimOws(equals < 0 ? item : item.substring(0, equals));
    if (name !== passCookie) kept.push(item);
  }
  const rest = trimOws(kept.join(';'));
  return rest === '' ? undefined : rest;
}
