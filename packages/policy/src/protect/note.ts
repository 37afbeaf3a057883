/** What a log line says of protection: texts that stay short and give nothing away. */

const entriesBytesMax = 500;
const partBytesMax = 200;
const excerptBytesMax = 80;

/** With one entry more: `matcher_rule 3=block; matcher_rule global 1=observe`. One that has no room is left out. */
export function withEntry(entries: string, section: string, rule: string, action: string): string {
  return withEntries(entries, rule === '' ? `${section}=${action}` : `${section} ${rule}=${action}`);
}

/** With all that somebody else noted, or with none of it. */
export const withEntries = (entries: string, more: string): string => joined(entries, more, entriesBytesMax);

/** With one part more, or several that are joined already. */
export const withPart = (parts: string, part: string): string => joined(parts, part, partBytesMax);

function joined(texts: string, text: string, bytesMax: number): string {
  const all = texts === '' || text === '' ? `${texts}${text}` : `${texts}; ${text}`;
  return all.length > bytesMax ? texts : all;
}

/** With one tag more, each once. */
export function withTag(tags: string, tag: string): string {
  if (tags === '') return tag;
  if (` ${tags} `.indexOf(` ${tag} `) >= 0) return tags;
  const all = `${tags} ${tag}`;
  return all.length > entriesBytesMax ? tags : all;
}

/** Fields whose values are secrets of visitors. */
const secretNames: Record<string, boolean> = {
  authorization: true,
  cookie: true,
  'proxy-authorization': true,
  'set-cookie': true,
  'x-api-key': true,
};
const secretPlaces: Record<string, boolean> = { cookie: true };
/** Of these nothing says who somebody is. */
const openPlaces: Record<string, boolean> = {
  ja4: true,
  response_size: true,
  response_origin_ms: true,
  // What was found in an answer, by words that are no secret.
  response: true,
};
const secretWords = ['pass', 'pwd', 'secret', 'token', 'key', 'sign', 'session', 'code'];

/**
 * What of a request fitted: its place (`argument`, `header`, `path`), the name there, and an excerpt without what is no printable
 * ASCII. What is a secret by its name is not shown at all, and of numbers of six digits and more only that they were there.
 */
export function partOfRequest(place: string, name: string, value: string): string {
  const at = name === '' ? place : `${place}.${printable(name)}`;
  if (openPlaces[place] === true) return `${at}: ${printable(value)}`;
  const excerpt = isSecret(place, name) ? '***' : withoutNumbers(printable(value));
  return `${at}: ${excerpt}`;
}

/** Behind a part of an answer: the path that the origin was asked for, by which exceptions go. Empty where it cannot be shown as it is. */
export const askedPart = (path: string): string =>
  path.length <= excerptBytesMax && printable(path) === path ? `asked: ${path}` : '';

/** Without it where that is the visitor's path as well. */
export function withoutAsked(parts: string, path: string): string {
  const asked = `; asked: ${path}`;
  return parts.endsWith(asked) ? parts.substring(0, parts.length - asked.length) : parts;
}

function isSecret(place: string, name: string): boolean {
  if (secretPlaces[place] === true || secretNames[name] === true) return true;
  const folded = name.toLowerCase();
  for (const word of secretWords) if (folded.indexOf(word) >= 0) return true;
  return false;
}

function printable(text: string): string {
  const parts: string[] = [];
  const end = text.length > excerptBytesMax ? excerptBytesMax : text.length;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    // Entries are apart by semicolons.
    parts.push(code < 32 || code > 126 || code === 59 ? '.' : text.substring(index, index + 1));
  }
  return parts.join('');
}

function withoutNumbers(text: string): string {
  const parts: string[] = [];
  let index = 0;
  while (index < text.length) {
    let end = index;
    while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
    if (end - index >= 6) parts.push('######');
    else if (end > index) parts.push(text.substring(index, end));
    if (end < text.length) parts.push(text.substring(end, end + 1));
    index = end + 1;
  }
  return parts.join('');
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
