import { blank, byteAt, isKind, kinds, letter, numberOf, skip, tableOf, word, wordsOf } from './bytes.ts';
import { decodeEntities } from './decode-text.ts';
import { readAttribute, tagAt, type Attribute, type Tag } from './html-tags.ts';
import { byteBits, wordBits } from './marks.ts';
import { stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** What a handler begins with that breaks out of its element: what may stand before it, and `on`. */
export const handlerBeginnings: string[] = beginnings();

function beginnings(): string[] {
  const made: string[] = [];
  const before = ' \t\n\v\f\r\0/"\'';
  for (let at = 0; at < before.length; at++) made.push(`${before.substring(at, at + 1)}on`);
  return made;
}

const executable = [
  'javascript:',
  'vbscript:',
  'livescript:',
  'data:text/html',
  'data:text/javascript',
  'data:image/svg',
  'data:text/xml',
  'data:application/x',
  'data:application/xml',
  'data:,',
  'data:;',
  'data:application/javascript',
];

/** Attributes whose value is an address that a browser goes to or runs. */
const addressAttributes: Record<string, number> = {};
tableOf(
  1,
  'href src action formaction data xlink:href background poster lowsrc dynsrc from to values by code codebase value content url srcset manifest ping folder classid archive',
  addressAttributes,
);

/** Elements that change the page beyond their own text, with the score of the bare element. */
const elements: Record<string, number> = {};
tableOf(8, 'script', elements);
tableOf(5, '/script base isindex applet x:script', elements);
tableOf(4, 'object embed iframe frame frameset portal xml import', elements);

export const html: Detector = {
  name: 'html',
  group: 'xss',
  mayFind: ({ bytes, words, text }) =>
    (bytes & byteBits.angle) !== 0 ||
    ((bytes & byteBits.colon) !== 0 && mayBeAddress(text)) ||
    ((bytes & byteBits.equals) !== 0 && (words & wordBits.handler) !== 0),
  find: findHtml,
};

const tagsMax = 400;

function findHtml(subject: Subject): Hit | undefined {
  const { text } = subject;
  let at = text.indexOf('<');
  let best = (subject.bytes & byteBits.colon) === 0 ? undefined : startingAddress(text);
  if ((subject.bytes & byteBits.equals) !== 0)
    best = stronger(best, brokenOut(text, subject.lower, at < 0 ? text.length : at));
  const isDocument = isPage(subject);
  for (let count = 0; at >= 0 && count < tagsMax; count++) {
    const tag = tagAt(text, at);
    if (tag !== undefined) {
      best = stronger(best, judgeTag(tag, subject, isDocument));
      if (best !== undefined && best.score >= 9) return best;
    }
    at = text.indexOf('<', tag === undefined || tag.next <= at || isNested(tag, text) ? at + 1 : tag.next);
  }
  return best;
}

/** `<p title="</noscript><img …">`: what is a value to one reader is an element to another. */
function isNested({ attributes }: Tag, text: string): boolean {
  if (text.length > 2000) return false;
  for (const { value } of attributes) if (value.indexOf('<') >= 0) return true;
  return false;
}

/** More than somebody would put into a field by hand: lines of it, or many elements. */
function isPage({ text, isPasted }: Subject): boolean {
  if (isPasted && hasLinesOfText(text)) return true;
  let at = text.indexOf('</');
  for (let count = 1; at >= 0; count++) {
    if (count >= 4) return true;
    at = text.indexOf('</', at + 2);
  }
  return false;
}

/** Three lines or more that do not end within a tag: there, a line break is as good as a blank. */
function hasLinesOfText(text: string): boolean {
  let lines = 1;
  let isInTag = false;
  for (let at = 0; at < text.length && lines < 3; at++) {
    const code = text.charCodeAt(at);
    if (code === 60) isInTag = true;
    else if (code === 62) isInTag = false;
    else if (code === 10 && !isInTag) lines += 1;
  }
  return lines >= 3;
}

function judgeTag(tag: Tag, subject: Subject, isDocument: boolean): Hit | undefined {
  const { name, start, attributes } = tag;
  const element =
    name.startsWith('svg:') || name.startsWith('x:') ? name.substring(name.indexOf(':') + 1) : name;
  const bare = numberOf(elements, element);
  let best: Hit | undefined;
  if (bare > 0) best = { score: bareScore(tag, bare, subject), offset: start, why: `the element ${name}` };
  for (const attribute of attributes)
    best = stronger(best, judgeAttribute(element, attribute, subject, isDocument));
  if (element === 'meta' && has(attributes, 'http-equiv'))
    best = stronger(best, { score: 6, offset: start, why: 'meta http-equiv' });
  if (
    (element === 'animate' || element === 'set') &&
    valueOf(attributes, 'attributename').toLowerCase().indexOf('href') >= 0
  )
    best = stronger(best, { score: 7, offset: start, why: 'an animation of href' });
  if (
    element === 'link' &&
    (valueOf(attributes, 'rel').toLowerCase() === 'import' || isStyleLink(attributes))
  )
    best = stronger(best, { score: 5, offset: start, why: 'the element link' });
  if (element === 'object' && valueOf(attributes, 'type').toLowerCase().indexOf('html') >= 0)
    best = stronger(best, { score: 6, offset: start, why: 'an object of HTML' });
  return best;
}

/** `<script` with more than prose after it. In `a<base` nothing follows that an element would have. */
function bareScore(tag: Tag, bare: number, { text, isPasted }: Subject): number {
  const isClosed = byteAt(text, tag.next - 1) === 62;
  if (!isClosed && tag.attributes.length === 0) return bare >= 8 && !isPasted ? 5 : 2;
  if (bare < 8 || has(tag.attributes, 'src')) return bare;
  return isCode(text, tag.next) ? bare : tag.attributes.length > 0 ? 5 : 3;
}

/** Whether what follows is a program, not prose about elements. */
function isCode(text: string, from: number): boolean {
  const at = skip(text, from, blank);
  const code = byteAt(text, at);
  if (code === 60) return byteAt(text, at + 1) === 47 && at === from;
  if (code >= 128 || at >= text.length) return false;
  if (!isKind(code, letter)) return true;
  const after = skip(text, skip(text, at, word), blank);
  const next = byteAt(text, after);
  return (
    next < 128 &&
    (!isKind(next, letter) ||
      text.startsWith('var ', at) ||
      text.startsWith('let ', at) ||
      text.startsWith('new ', at) ||
      text.startsWith('const ', at)) &&
    next !== 44 &&
    next !== 63
  );
}

function isStyleLink(attributes: Attribute[]): boolean {
  return valueOf(attributes, 'rel').toLowerCase().indexOf('stylesheet') >= 0;
}

function has(attributes: Attribute[], name: string): boolean {
  for (const attribute of attributes) if (attribute.name === name) return true;
  return false;
}

function valueOf(attributes: Attribute[], name: string): string {
  for (const attribute of attributes) if (attribute.name === name) return attribute.value;
  return '';
}

function judgeAttribute(
  element: string,
  { name, value, offset }: Attribute,
  subject: Subject,
  isDocument: boolean,
): Hit | undefined {
  if (isHandler(name)) {
    if (value.trim() === '') return { score: 3, offset, why: `an empty handler ${name}` };
    return { score: handlerScore(value, isDocument), offset, why: `the handler ${name}` };
  }
  if (numberOf(addressAttributes, name) > 0) {
    const score = addressScore(value);
    if (score > 0) return { score, offset, why: `a script as ${name}` };
    if (element === 'param' && isAddress(value) && !isDocument)
      return { score: 4, offset, why: 'an address for an object' };
  }
  if (name === 'srcdoc') return { score: 7, offset, why: 'srcdoc' };
  if (name === 'style' && isScriptStyle(value)) return { score: 7, offset, why: 'a script in a style' };
  if (element === 'a' && name === 'download' && value !== '' && !isDocument && subject.text.length < 120)
    return { score: 4, offset, why: 'a download' };
  return undefined;
}

/** `onclick`, and with it handlers that browsers do not have yet. */
function isHandler(name: string): boolean {
  if (name.length < 5 || name.length > 30 || !name.startsWith('on')) return false;
  for (let at = 2; at < name.length; at++) if (!isKind(name.charCodeAt(at), letter)) return false;
  return true;
}

/** What attacks do in handlers, to show that they can or to steal. */
const telling = wordsOf(
  'alert prompt confirm eval document.cookie document.domain document.write fromcharcode atob( import( javascript: constructor fetch( xmlhttp localstorage \\x \\u throw sendbeacon',
);

/** Editors' pages have handlers too; those call functions of the page's own. */
function handlerScore(value: string, isDocument: boolean): number {
  const decoded = decodeEntities(value).toLowerCase();
  for (const needle of telling) if (decoded.indexOf(needle) >= 0) return 8;
  // A call by a name that is made up first, as `top[x]()`, is none of these.
  if (decoded.indexOf('](') >= 0) return 7;
  if (isDocument) return 4;
  return decoded.indexOf('(') >= 0 || decoded.indexOf('=') >= 0 || decoded.indexOf('`') >= 0 ? 7 : 6;
}

/** An address in an attribute: whether it runs. */
function addressScore(value: string): number {
  const plain = withoutGaps(decodeEntities(decodeEntities(value.substring(0, 400))));
  for (const scheme of executable) {
    const at = plain.indexOf(scheme);
    if (at < 0) continue;
    // Lists of addresses have more than one: `values="0;javascript:…"`.
    if (at > 0 && !isKindOfGap(plain.charCodeAt(at - 1))) continue;
    if (
      scheme.startsWith('data:image/svg') &&
      plain.indexOf('script') < 0 &&
      plain.indexOf('<') < 0 &&
      plain.indexOf('base64') < 0
    )
      continue;
    if (scheme.startsWith('data:image/svg') && !mayRun(plain)) return 4;
    return isHarmless(plain, at + scheme.length) ? 2 : 8;
  }
  return 0;
}

function mayRun(plain: string): boolean {
  return (
    plain.indexOf('script') >= 0 ||
    plain.indexOf('onload') >= 0 ||
    plain.indexOf('onerror') >= 0 ||
    plain.indexOf('#') >= 0
  );
}

function isKindOfGap(code: number): boolean {
  return code === 59 || code === 44 || code === 38 || code === 61;
}

/** `javascript:void(0)`, `javascript:;` and nothing. */
function isHarmless(plain: string, from: number): boolean {
  const rest = plain.substring(from, from + 24);
  return (
    rest === '' ||
    rest === ';' ||
    rest.startsWith('void(0)') ||
    rest === 'void0' ||
    rest === '//' ||
    rest.startsWith('history.') ||
    rest.startsWith('returnfalse')
  );
}

/** In lower case, and without what browsers drop from addresses. */
function withoutGaps(value: string): string {
  const out: string[] = [];
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code > 32 && code !== 127) out.push(String.fromCharCode(code >= 65 && code <= 90 ? code + 32 : code));
  }
  return out.join('');
}

function isAddress(value: string): boolean {
  return value.startsWith('http') || value.startsWith('//');
}

function isScriptStyle(value: string): boolean {
  const plain = withoutGaps(decodeEntities(value));
  return (
    plain.indexOf('expression(') >= 0 ||
    plain.indexOf('javascript:') >= 0 ||
    plain.indexOf('-moz-binding') >= 0 ||
    plain.indexOf('behavior:url') >= 0
  );
}

/** A value that is an address which runs: `javascript:alert(1)` for a link that the software makes of it. */
function startingAddress(text: string): Hit | undefined {
  const code = text.charCodeAt(skip(text, 0, blank));
  const isLikely = (kinds[code] ?? 0) !== 0 || code < 32 || code === 38 || code === 34 || code === 39;
  if (!isLikely) return undefined;
  const from = code === 34 || code === 39 ? 1 : 0;
  const plain = withoutGaps(text.substring(from, 200));
  for (const scheme of executable) {
    if (!plain.startsWith(scheme)) continue;
    if (scheme === 'data:,' || scheme === 'data:;' || scheme === 'data:image/svg')
      return mayRun(plain) ? { score: 6, offset: 0, why: `an address that runs: ${scheme}` } : undefined;
    if (isHarmless(plain, scheme.length)) return undefined;
    const runs = scheme.startsWith('data:') || hasCall(plain);
    return { score: runs ? 7 : 4, offset: 0, why: `an address that runs: ${scheme}` };
  }
  return undefined;
}

function hasCall(plain: string): boolean {
  return (
    plain.indexOf('(') >= 0 || plain.indexOf('`') >= 0 || plain.indexOf('=') >= 0 || plain.indexOf('%') >= 0
  );
}

/** Whether the first letter is one of those that `executable` begin with. */
function mayBeAddress(text: string): boolean {
  const first = text.charCodeAt(skip(text, 0, blank));
  let at = first === 34 || first === 39 ? 1 : 0;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 127)) at += 1;
  const code = byteAt(text, at) | 32;
  return code === 106 || code === 118 || code === 108 || code === 100;
}

/** `" onmouseover=…`: a handler put into the element that the value stands in, so in front of the first of its own. */
function brokenOut(text: string, lower: string, stop: number): Hit | undefined {
  let at = lower.indexOf('on');
  for (let count = 0; at >= 0 && at < stop && count < tagsMax; count++) {
    const hit = at > 0 ? handlerAt(text, at) : undefined;
    if (hit !== undefined) return hit;
    at = lower.indexOf('on', at + 2);
  }
  return undefined;
}

function handlerAt(text: string, at: number): Hit | undefined {
  const before = byteAt(text, at - 1);
  if (!isKind(before, blank) && before !== 47 && before !== 34 && before !== 39) return undefined;
  const found: Attribute[] = [];
  readAttribute(text, at, found);
  const { name, value } = found[0]!;
  if (!isHandler(name) || value === '') return undefined;
  const score = handlerScore(value, false);
  const quote = lastQuote(text, at);
  if (quote < 0 && score < 8) return undefined;
  // Without the quote that ends the attribute, the page has to have none around.
  return {
    score: quote >= 0 ? (score > 7 ? 8 : 5) : 6,
    offset: at,
    why: `the handler ${name} after a quote`,
  };
}

/** A quote in front, with at most attributes in between. */
function lastQuote(text: string, at: number): number {
  for (let index = at - 1; index >= 0 && index > at - 80; index--) {
    const code = text.charCodeAt(index);
    if (code === 34 || code === 39 || code === 96) return index;
    if (code === 62 || code === 60) return -1;
  }
  return -1;
}
