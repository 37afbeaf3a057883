/**
 * The regular expressions that are accepted, everywhere one is entered. nginx matches them by PCRE, and everything else by
 * `pattern-match.ts`: what the two would read differently is refused here, and so is what can run away.
 *
 * Patterns are byte strings, one character per byte of their UTF-8. Positions are counted from 1.
 */

export const patternLengthMax = 500;
/** Steps of a pattern with its counted repeats written out. */
export const patternSizeMax = 2000;
const lookaheadsMax = 3;
const depthMax = 20;

/** Which bytes may stand at one place: 256 entries. */
export type ByteSet = readonly boolean[];
export type PatternNode =
  | { kind: 'bytes'; set: ByteSet }
  /** `group`: what it took is kept under this number. */
  | { kind: 'sequence'; items: PatternNode[]; group?: number }
  | { kind: 'choice'; items: PatternNode[] }
  /** `isLazy`: as few as will do. */
  | { kind: 'repeat'; item: PatternNode; min: number; max: number; isLazy: boolean }
  | { kind: 'look'; item: PatternNode; negated: boolean }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'inside' };

export type PatternProblem = 'pattern_syntax' | 'pattern_unsupported' | 'pattern_runaway' | 'pattern_big';

/** Thrown within this file only; `at` from 1. */
class Refused extends Error {
  readonly problem: PatternProblem;
  readonly at: number;
  constructor(problem: PatternProblem, at: number) {
    super(problem);
    this.problem = problem;
    this.at = at;
  }
}

export type ParsedPattern =
  | { node: PatternNode; problem?: undefined }
  | { problem: PatternProblem; at: number; node?: undefined };

/** `isFolded`: ASCII letters count alike in both cases. */
export function parsePattern(bytes: string, isFolded: boolean): ParsedPattern {
  if (bytes.length > patternLengthMax) return { problem: 'pattern_big', at: patternLengthMax + 1 };
  try {
    const reader = new Reader(bytes, isFolded);
    const node = reader.choice(0);
    if (reader.at < bytes.length) throw new Refused('pattern_syntax', reader.at + 1);
    if (sizeOf(node) > patternSizeMax) throw new Refused('pattern_big', 1);
    return { node };
  } catch (problem) {
    if (problem instanceof Refused) return { problem: problem.problem, at: problem.at };
    throw problem;
  }
}

function sizeOf(node: PatternNode): number {
  if (node.kind === 'repeat')
    return 1 + sizeOf(node.item) * (node.max === Infinity ? node.min + 1 : node.max);
  if (node.kind === 'look') return 1 + sizeOf(node.item);
  // Patterns were measured before groups were told apart.
  if (node.kind === 'sequence' && node.group !== undefined) return sizeOf(node.items[0]!);
  if ('items' in node) return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
  return 1;
}

const setOf = (includes: (code: number) => boolean): ByteSet =>
  Array.from({ length: 256 }, (_, code) => includes(code));
const isDigit = (code: number) => code >= 48 && code <= 57;
const isWord = (code: number) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);
const classes: Record<string, ByteSet> = {
  d: setOf(isDigit),
  D: setOf((code) => !isDigit(code)),
  w: setOf(isWord),
  W: setOf((code) => !isWord(code)),
  s: setOf(isSpace),
  S: setOf((code) => !isSpace(code)),
};
const controls: Record<string, number> = { t: 9, n: 10, f: 12, r: 13 };
const anyByte = setOf((code) => code !== 10);
const special = '\\^$.|?*+()[]{}';

/** The other case of a letter, or the byte itself. */
function otherCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code >= 97 && code <= 122 ? code - 32 : code;
}

class Reader {
  readonly text: string;
  readonly isFolded: boolean;
  at = 0;
  #lookaheads = 0;
  #groups = 0;

  constructor(text: string, isFolded: boolean) {
    this.text = text;
    this.isFolded = isFolded;
  }

  choice(depth: number): PatternNode {
    if (depth > depthMax) throw new Refused('pattern_big', this.at + 1);
    const items = [this.#sequence(depth)];
    while (this.text[this.at] === '|') {
      this.at += 1;
      items.push(this.#sequence(depth));
    }
    return items.length === 1 ? items[0]! : { kind: 'choice', items };
  }

  #sequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    while (this.at < this.text.length && this.text[this.at] !== '|' && this.text[this.at] !== ')')
      items.push(this.#repeated(depth));
    return { kind: 'sequence', items };
  }

  #repeated(depth: number): PatternNode {
    const start = this.at;
    const item = this.#atom(depth);
    const count = this.#count();
    if (count === undefined) return item;
    const after = this.text[this.at];
    const isLazy = after === '?';
    if (isLazy) this.at += 1;
    // `a++` is possessive in PCRE alone, and of `a**` the engines make different things.
    else if (after === '+' || after === '*' || (after === '{' && this.#isCount()))
      throw new Refused('pattern_unsupported', this.at + 1);
    if (item.kind === 'edge' || item.kind === 'look') throw new Refused('pattern_unsupported', start + 1);
    // Only the last byte of a character would be repeated.
    if (this.text.charCodeAt(start) > 127) throw new Refused('pattern_unsupported', start + 1);
    const node: PatternNode = { kind: 'repeat', item, ...count, isLazy };
    if (count.max > 1 && canRunAway(node)) throw new Refused('pattern_runaway', start + 1);
    return node;
  }

  #isCount(): boolean {
    return /^\{\d{1,4}(?:,\d{0,4})?\}/.test(this.text.slice(this.at, this.at + 12));
  }

  #count(): { min: number; max: number } | undefined {
    const mark = this.text[this.at];
    const plain = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[mark ?? ''];
    if (plain !== undefined) {
      this.at += 1;
      return { min: plain[0]!, max: plain[1]! };
    }
    if (mark !== '{') return undefined;
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.text.slice(this.at, this.at + 12));
    if (found === null) throw new Refused('pattern_syntax', this.at + 1);
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]);
    if (max < min) throw new Refused('pattern_syntax', this.at + 1);
    this.at += found[0].length;
    return { min, max };
  }

  #atom(depth: number): PatternNode {
    const mark = this.text[this.at]!;
    this.at += 1;
    if (mark === '(') return this.#group(depth);
    if (mark === '[') return this.#class();
    if (mark === '.') return { kind: 'bytes', set: anyByte };
    if (mark === '^') return { kind: 'edge', edge: 'start' };
    if (mark === '$') return { kind: 'edge', edge: 'end' };
    if (mark === '\\') return this.#escape();
    if (special.includes(mark)) throw new Refused('pattern_syntax', this.at);
    return this.#byte(mark.charCodeAt(0));
  }

  #byte(code: number): PatternNode {
    const other = this.isFolded ? otherCase(code) : code;
    return { kind: 'bytes', set: setOf((each) => each === code || each === other) };
  }

  #group(depth: number): PatternNode {
    const start = this.at;
    let look: boolean | undefined;
    let group: number | undefined;
    if (this.text[this.at] === '?') {
      const kind = this.text[this.at + 1];
      if (kind === '=' || kind === '!') look = kind === '!';
      else if (kind !== ':') throw new Refused('pattern_unsupported', start);
      this.at += 2;
    } else if (this.text[this.at] === '*') throw new Refused('pattern_unsupported', start);
    else group = ++this.#groups;
    if (look !== undefined && ++this.#lookaheads > lookaheadsMax) throw new Refused('pattern_big', start);
    const item = this.choice(depth + 1);
    if (this.text[this.at] !== ')') throw new Refused('pattern_syntax', start);
    this.at += 1;
    if (group !== undefined) return { kind: 'sequence', items: [item], group };
    return look === undefined ? item : { kind: 'look', item, negated: look };
  }

  #escape(): PatternNode {
    const letter = this.text[this.at] ?? '';
    const set = classes[letter];
    if (set !== undefined) {
      this.at += 1;
      return { kind: 'bytes', set };
    }
    if (letter === 'b' || letter === 'B') {
      this.at += 1;
      return { kind: 'edge', edge: letter === 'b' ? 'word' : 'inside' };
    }
    return this.#byte(this.#escapedByte());
  }

  /** Behind a backslash: a control character, a byte in hexadecimal, or a sign that stands for itself. */
  #escapedByte(): number {
    const letter = this.text[this.at] ?? '';
    const control = controls[letter];
    if (control !== undefined) {
      this.at += 1;
      return control;
    }
    if (letter === 'x') {
      const digits = this.text.slice(this.at + 1, this.at + 3);
      if (!/^[\da-f]{2}$/i.test(digits)) throw new Refused('pattern_unsupported', this.at);
      this.at += 3;
      return Number.parseInt(digits, 16);
    }
    const code = letter.charCodeAt(0);
    // Letters and digits mean different things to different engines, a backreference among them.
    if (letter === '' || isWord(code) || code > 126 || code < 32)
      throw new Refused('pattern_unsupported', this.at);
    this.at += 1;
    return code;
  }

  #class(): PatternNode {
    const start = this.at;
    const isNegated = this.text[this.at] === '^';
    if (isNegated) this.at += 1;
    const found: boolean[] = Array.from({ length: 256 }, () => false);
    if (this.text[this.at] === ']') throw new Refused('pattern_unsupported', start);
    while (this.text[this.at] !== ']') {
      if (this.at >= this.text.length) throw new Refused('pattern_syntax', start);
      this.#classItem(found);
    }
    this.at += 1;
    return { kind: 'bytes', set: isNegated ? found.map((each) => !each) : found };
  }

  #classItem(found: boolean[]): void {
    const start = this.at;
    const first = this.#classByte();
    const isRange = this.text[this.at] === '-' && this.text[this.at + 1] !== ']';
    if (!isRange) {
      if (typeof first === 'number') this.#include(found, first, first);
      else first.forEach((is, code) => (found[code] ||= is));
      return;
    }
    this.at += 1;
    const last = this.#classByte();
    // `[\w-z]` is a list in one engine and an error in the other.
    if (typeof first !== 'number' || typeof last !== 'number')
      throw new Refused('pattern_unsupported', start + 1);
    if (last < first) throw new Refused('pattern_syntax', start + 1);
    this.#include(found, first, last);
  }

  #classByte(): number | ByteSet {
    const mark = this.text[this.at] ?? '';
    const code = mark.charCodeAt(0);
    // A character of several bytes would count as each of them.
    if (mark === '' || code > 127) throw new Refused('pattern_unsupported', this.at + 1);
    this.at += 1;
    if (mark === '[' && ':.='.includes(this.text[this.at] ?? ' '))
      throw new Refused('pattern_unsupported', this.at);
    if (mark !== '\\') return code;
    const set = classes[this.text[this.at] ?? ''];
    if (set === undefined) return this.#escapedByte();
    this.at += 1;
    return set;
  }

  #include(found: boolean[], first: number, last: number): void {
    for (let code = first; code <= last; code++) {
      found[code] = true;
      if (this.isFolded) found[otherCase(code)] = true;
    }
  }
}

/** A repeat with a fixed count is looked at as what it stands for, up to this count. */
const unrolledMax = 10;

/** Where a part of a pattern may begin and end, among the places of `follow`. */
interface Reach {
  isEmpty: boolean;
  first: number[];
  last: number[];
}

/**
 * Whether a repeat can be gone through in two ways on the same text: then a text that fails in the end is tried in all of
 * them, twice as many for each byte more. It cannot where at every place the next byte says which place comes next, by
 * which repeat (A. Brüggemann-Klein, "Regular expressions into finite automata", 1993: strongly unambiguous).
 */
function canRunAway(loop: PatternNode): boolean {
  const sets: ByteSet[] = [];
  const follow: number[][] = [];
  const { isEmpty, first } = reachOf(loop.kind === 'repeat' ? { ...loop, min: 1 } : loop, sets, follow);
  return isEmpty || [first, ...follow].some((places) => overlap(places.map((place) => sets[place]!)));
}

function overlap(sets: ByteSet[]): boolean {
  for (let code = 0; code < 256; code++) {
    let count = 0;
    for (const set of sets) if (set[code]) count += 1;
    if (count > 1) return true;
  }
  return false;
}

function reachOf(node: PatternNode, sets: ByteSet[], follow: number[][]): Reach {
  if (node.kind === 'bytes') {
    const place = sets.push(node.set) - 1;
    follow.push([]);
    return { isEmpty: false, first: [place], last: [place] };
  }
  if (node.kind === 'choice') {
    const parts = node.items.map((item) => reachOf(item, sets, follow));
    return {
      isEmpty: parts.some((part) => part.isEmpty),
      first: parts.flatMap((part) => part.first),
      last: parts.flatMap((part) => part.last),
    };
  }
  if (node.kind === 'sequence') {
    return node.items
      .map((item) => reachOf(item, sets, follow))
      .reduce(
        (before, part) => {
          for (const place of before.last) follow[place]!.push(...part.first);
          return {
            isEmpty: before.isEmpty && part.isEmpty,
            first: before.isEmpty ? [...before.first, ...part.first] : before.first,
            last: part.isEmpty ? [...before.last, ...part.last] : part.last,
          };
        },
        { isEmpty: true, first: [], last: [] },
      );
  }
  if (node.kind === 'repeat' && node.min === node.max && node.max <= unrolledMax)
    return reachOf(
      { kind: 'sequence', items: Array.from({ length: node.max }, () => node.item) },
      sets,
      follow,
    );
  if (node.kind === 'repeat') {
    const part = reachOf(node.item, sets, follow);
    if (node.max > 1) for (const place of part.last) follow[place]!.push(...part.first);
    return { ...part, isEmpty: part.isEmpty || node.min === 0 };
  }
  // What it looks at it does not pass, and its own repeats were looked at when they were read.
  return { isEmpty: true, first: [], last: [] };
}
