import { refusalOf, type Directive } from './nginx-directives.ts';

/**
 * A site's own directives for nginx. The text is read as nginx would, held against a list of what is allowed, and
 * written anew from what was read: nginx never sees a byte of which it could think otherwise than this parser.
 */

export interface SnippetProblem {
  /** The first is 1. */
  line: number;
  reason: string;
}

export interface Snippet {
  directives: Directive[];
  /** The first thing that is wrong, if any; then there are no directives. */
  problem: SnippetProblem | undefined;
  /** What was left out: see `parseKeptSnippet`. */
  leftOut: SnippetProblem[];
}

const directivesMax = 50;
const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const semicolon = 59;
const backslash = 92;

/** A byte string, with one character per byte. */
export function parseSnippet(text: string): Snippet {
  return readSnippet(text, false);
}

/**
 * On a node: fields that were allowed once are left out by themselves. A site keeps its other directives, such as those that
 * keep visitors out, and its text is refused when it is next saved.
 */
export function parseKeptSnippet(text: string): Snippet {
  return readSnippet(text, true);
}

function readSnippet(text: string, isKept: boolean): Snippet {
  const directives: Directive[] = [];
  const leftOut: SnippetProblem[] = [];
  let words: string[] = [];
  let line = 1;
  let start = 1;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (isSpace(code)) {
      if (code === newline) line += 1;
      index += 1;
    } else if (code === hash) {
      const end = text.indexOf('\n', index);
      index = end < 0 ? text.length : end;
    } else if (code === semicolon) {
      if (words.length === 0) return refused(line, 'snippet_syntax');
      const directive: Directive = { name: words[0]!, words, line: start };
      const reason = refusalOf(directive);
      if (isKept && reason === 'snippet_field') leftOut.push({ line: start, reason });
      else if (reason !== undefined) return refused(start, reason);
      else directives.push(directive);
      if (directives.length > directivesMax) return refused(start, 'snippet_many');
      words = [];
      index += 1;
    } else {
      if (words.length === 0) start = line;
      const word = readWord(text, index);
      if (word.reason !== undefined) return refused(line, word.reason);
      words.push(word.value);
      index = word.end;
    }
  }
  if (words.length > 0) return refused(start, 'snippet_open');
  return { directives, problem: undefined, leftOut };
}

function refused(line: number, reason: string): Snippet {
  return { directives: [], problem: { line, reason }, leftOut: [] };
}

interface Word {
  value: string;
  end: number;
  reason?: string;
}

/** One word from `index` on, quoted or not. Control characters, and escapes that make one, are in none. */
function readWord(text: string, index: number): Word {
  const first = text.charCodeAt(index);
  const quote = first === doubleQuote || first === singleQuote ? first : 0;
  const parts: string[] = [];
  let at = quote === 0 ? index : index + 1;
  while (at < text.length) {
    let code = text.charCodeAt(at);
    if (quote === 0 ? endsWord(code) : code === quote) break;
    if (code === backslash) {
      at += 1;
      code = at < text.length ? text.charCodeAt(at) : 0;
      // nginx reads `\n`, `\r` and `\t` as the characters they stand for, and keeps an unknown backslash.
      if (code !== doubleQuote && code !== singleQuote && code !== backslash)
        return { value: '', end: at, reason: 'snippet_escape' };
    } else if (quote === 0 && isBrace(code)) {
      if (!isVariableBrace(text, at)) return { value: '', end: at, reason: 'snippet_block' };
    } else if (quote === 0 && (code === doubleQuote || code === singleQuote)) {
      return { value: '', end: at, reason: 'snippet_syntax' };
    }
    if (code < space || code === 127) return { value: '', end: at, reason: 'snippet_character' };
    parts.push(text.substring(at, at + 1));
    at += 1;
  }
  if (quote === 0) return { value: parts.join(''), end: at };
  if (at >= text.length) return { value: '', end: at, reason: 'snippet_open' };
  at += 1;
  // After a quote nginx wants a space or the end of the directive.
  if (at < text.length && !endsWord(text.charCodeAt(at)))
    return { value: '', end: at, reason: 'snippet_syntax' };
  return { value: parts.join(''), end: at };
}

const isSpace = (code: number): boolean =>
  code === space || code === tab || code === newline || code === carriageReturn;
const endsWord = (code: number): boolean => isSpace(code) || code === semicolon;
const isBrace = (code: number): boolean => code === 123 || code === 125;

/** Whether a brace belongs to `${name}`. */
function isVariableBrace(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 123) return at > 0 && text.charCodeAt(at - 1) === 36;
  let back = at - 1;
  while (back >= 0 && isNameByte(text.charCodeAt(back))) back -= 1;
  return back > 0 && text.charCodeAt(back) === 123 && text.charCodeAt(back - 1) === 36;
}

function isNameByte(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

/** The directives as nginx is given them: every word but the name in quotes, one directive a line. */
export function renderSnippet(directives: Directive[]): string {
  const lines: string[] = [];
  for (const { words } of directives) {
    const parts = [words[0]!];
    for (let index = 1; index < words.length; index++) parts.push(quoted(words[index]!));
    lines.push(parts.join(' ') + ';');
  }
  return lines.join('\n');
}

function quoted(word: string): string {
  const parts = ['"'];
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    if (code === doubleQuote || code === backslash) parts.push('\\');
    parts.push(word.substring(index, index + 1));
  }
  parts.push('"');
  return parts.join('');
}
