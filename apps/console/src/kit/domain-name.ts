import { decode } from 'punycode/punycode.es6.js';

/** International domain names as people write them. What is kept, sent and copied is the ASCII form (RFC 5890). */

/** A host name of which a label is in ASCII-compatible encoding, also within a list, a pattern or an address. */
const encodedHost = /(?<![a-z0-9._~%/?#=&*-])(?:[a-z0-9_*-]+\.)*xn--[a-z0-9-]+(?:\.[a-z0-9_-]+)*/g;
/** The same where an address names it. */
const encodedAuthority = /(?<=\/\/(?:[^\s/?#@]*@)?)(?:[a-z0-9_-]+\.)*xn--[a-z0-9-]+(?:\.[a-z0-9_-]+)*/g;

const known = new Map<string, string>();
const knownMax = 5000;

/** The text with the domain names in it as people write them; a label that could pass for another stays ASCII. */
export function readableDomains(text: string): string {
  if (!text.includes('xn--')) return text;
  const found = known.get(text);
  if (found !== undefined) return found;
  const readable = text.replace(encodedAuthority, readableHost).replace(encodedHost, readableHost);
  if (known.size >= knownMax) known.clear();
  known.set(text, readable);
  return readable;
}

const readableHost = (host: string): string => host.split('.').map(readableLabel).join('.');

function readableLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  try {
    const unicode = decode(label.slice('xn--'.length));
    return isSafe(unicode) && isEncodedAs(unicode, label) ? unicode : label;
  } catch {
    // Not Punycode (RFC 3492).
    return label;
  }
}

/** The browser's own UTS 46 says whether this is how the label is written: normalised, and valid by its rules of directions. */
const isEncodedAs = (unicode: string, label: string): boolean =>
  new URL(`http://${unicode}.test/`).hostname === `${label}.test`;

/**
 * Scripts of which a label may be, each of them whole: those that UTS 39 calls recommended and that have country domains.
 * East Asian labels mix scripts by nature, with the letters of ASCII among them ("highly restrictive" in UTS 39, §5.2).
 */
const scripts: readonly RegExp[] = [
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーa-z0-9-]+$/u,
  /^[\p{Script=Han}\p{Script=Bopomofo}a-z0-9-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}a-z0-9-]+$/u,
  /^[\p{Script=Cyrillic}0-9-]+$/u,
  /^[\p{Script=Greek}0-9-]+$/u,
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Devanagari',
    'Georgian',
    'Gujarati',
    'Gurmukhi',
    'Hebrew',
    'Kannada',
    'Khmer',
    'Lao',
    'Malayalam',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thai',
  ].map((script) => new RegExp(`^[\\p{Script=${script}}0-9-]+$`, 'u')),
];

/** Strokes and plain shapes of Han and Kana: the long-vowel mark, one, two, eight, mouth, no, so, n and their like. */
const strokes = [
  0x30fc, 0x4e00, 0x4e28, 0x4e36, 0x4e3f, 0x30ce, 0x30bd, 0x30f3, 0x30cb, 0x4e8c, 0x3007, 0x5de5, 0x53e3,
  0x30ed, 0x516b, 0x30cf, 0x30ab, 0x529b, 0x30c8, 0x30d8, 0x3078, 0x30a8,
];

/** Letters of other scripts, and strokes, that pass for letters, digits or signs of ASCII: a label of nothing else stays ASCII. */
const lookAlikes = new RegExp(
  `^[a-z0-9${[
    'аыԁеԍһіюјӏорԗԛсѕԝхуъьҽпгѵѡ',
    'αβγεηικνοπρτυχωκϲϳ',
    'ցգզհսոօքյւղյոՙ',
    String.fromCodePoint(...strokes),
    'ჿഠഃംಠට',
    'ןוסטاه',
  ].join('')}-]+$`,
  'u',
);

/** Letters of Latin beyond those that are one of ASCII with an accent. Without `ı`, which passes for `i`. */
const latinLetters = /^[a-z0-9ßàæçðøþđħłŋœ-]+$/;

function isSafe(label: string): boolean {
  // Other digits, and marks of no script, could be put anywhere.
  if (/\p{Script=Inherited}|(?![0-9])\p{Nd}/u.test(label)) return false;
  if (lookAlikes.test(label)) return false;
  const isLatin = latinLetters.test(label.normalize('NFD').replace(/\p{Script=Inherited}/gu, ''));
  return isLatin || scripts.some((script) => script.test(label));
}
