import type { BodyRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { mediaType } from '../http/content-type.ts';
import { extensionOf } from '../http/path.ts';

/** Something to find in content, and what stands in its place. */
interface Part {
  find: string;
  replace: string;
  /** Before what was found, by ASCII letters of either case, and once; `find` is in lower case. */
  isInserted: boolean;
}

/** The change of one answer's content, as it comes in pieces: where they are cut makes no difference. */
export interface BodyChange {
  parts: Part[];
  /** Whether each part may still be found. */
  isOpen: boolean[];
  /** What may be the beginning of something to find. */
  held: string;
  hasInserts: boolean;
}

const html: Record<string, boolean> = { 'text/html': true, 'application/xhtml+xml': true };

export function hasBodyRules({ replacements, head_html: head, body_html: foot }: BodyRewrite): boolean {
  for (const { enabled } of replacements) if (enabled) return true;
  return head !== '' || foot !== '';
}

/** All that decides what content becomes, as one text. */
export function bodyRulesText(rules: BodyRewrite): string {
  const parts = [`${rules.max_bytes}`, rules.content_types.join(' '), rules.head_html, rules.body_html];
  for (const { find, replace, enabled } of rules.replacements) if (enabled) parts.push(find, replace);
  const texts: string[] = [];
  for (const part of parts) texts.push(`${part.length}:${part}`);
  return texts.join('');
}

/** Of files with these names nobody expects text, and parts of them are asked for. */
const binarySuffixes =
  ' 7z aac apk avi avif bmp br bz2 dmg doc docx eot exe flac flv gif gz ico iso jpeg jpg m4a m4s m4v mkv mov mp3 mp4 msi ogg ogv otf pdf png pptx rar tar tgz ttf wasm wav webm webp woff woff2 xlsx xz zip zst ';

/** Whether content at a path (normalised) may be of a type that rules are for. */
export function mayHoldText(path: string): boolean {
  const suffix = extensionOf(path);
  return suffix === '' || binarySuffixes.indexOf(` ${suffix} `) < 0;
}

/** What is to be done with content of a type, or nothing. */
export function startBodyChange(rules: BodyRewrite, contentType: string | undefined): BodyChange | undefined {
  const type = mediaType(contentType ?? '');
  const parts: Part[] = [];
  if (html[type] === true) {
    if (rules.head_html !== '') parts.push({ find: '</head>', replace: rules.head_html, isInserted: true });
    if (rules.body_html !== '') parts.push({ find: '</body>', replace: rules.body_html, isInserted: true });
  }
  const hasInserts = parts.length > 0;
  if (isOfTypes(type, rules.content_types))
    for (const { find, replace, enabled } of rules.replacements)
      if (enabled) parts.push({ find, replace, isInserted: false });
  if (parts.length === 0) return undefined;
  const isOpen: boolean[] = [];
  for (let index = 0; index < parts.length; index++) isOpen.push(true);
  return { parts, isOpen, held: '', hasInserts };
}

function isOfTypes(type: string, wanted: string[]): boolean {
  if (type === '') return false;
  for (const pattern of wanted) {
    if (pattern === type) return true;
    if (pattern.endsWith('/*') && type.startsWith(pattern.substring(0, pattern.length - 1))) return true;
  }
  return false;
}

/** The next piece, changed; `isLast`: nothing follows. What is put in is not looked through again. */
export function changeBody(change: BodyChange, piece: string, isLast: boolean): string {
  const text = change.held + piece;
  const lower = change.hasInserts ? text.toLowerCase() : text;
  const out: string[] = [];
  const next: number[] = [];
  let from = 0;
  for (let index = 0; index < change.parts.length; index++)
    next.push(findFrom(change, index, text, lower, 0));
  const limit = isLast ? text.length : heldFrom(change, text, lower);
  while (true) {
    const index = earliest(next);
    // Of what only may begin there, the end has to come first.
    if (index < 0 || next[index]! >= limit) break;
    const { find, replace, isInserted } = change.parts[index]!;
    const start = next[index]!;
    const end = start + find.length;
    out.push(text.substring(from, start), replace);
    if (isInserted) {
      out.push(text.substring(start, end));
      change.isOpen[index] = false;
    }
    from = end;
    for (let other = 0; other < next.length; other++)
      if (next[other]! < from || other === index) next[other] = findFrom(change, other, text, lower, from);
  }
  const cut = limit > from ? limit : from;
  out.push(text.substring(from, cut));
  change.held = text.substring(cut);
  return out.join('');
}

/** Where a part is next, or past the end. */
function findFrom(change: BodyChange, index: number, text: string, lower: string, from: number): number {
  if (change.isOpen[index] !== true) return text.length;
  const part = change.parts[index]!;
  const found = (part.isInserted ? lower : text).indexOf(part.find, from);
  return found < 0 ? text.length : found;
}

/** The part that is found first; of several at one place, the first of them. -1: none. */
function earliest(next: number[]): number {
  let best = -1;
  for (let index = 0; index < next.length; index++) if (best < 0 || next[index]! < next[best]!) best = index;
  return best;
}

/** Where the end of the text may be the beginning of a part: nothing from there on is decided yet. */
function heldFrom({ parts, isOpen }: BodyChange, text: string, lower: string): number {
  let first = text.length;
  for (let index = 0; index < parts.length; index++) {
    if (isOpen[index] !== true) continue;
    const { find, isInserted } = parts[index]!;
    const subject = isInserted ? lower : text;
    const initial = find.substring(0, 1);
    let at = subject.indexOf(initial, text.length < find.length ? 0 : text.length - find.length + 1);
    while (at >= 0 && at < first) {
      if (find.startsWith(subject.substring(at))) first = at;
      at = subject.indexOf(initial, at + 1);
    }
  }
  return first;
}
