import { byteAt, isKind, word } from './bytes.ts';

/** Bits for the bytes of a text, by which most values are known to hold nothing of interest. */
export const byteBits = {
  quote: 1,
  angle: 2,
  paren: 4,
  semicolon: 8,
  pipe: 16,
  ampersand: 32,
  dollar: 64,
  slash: 128,
  backslash: 256,
  percent: 512,
  equals: 1024,
  brace: 2048,
  bracket: 4096,
  hyphen: 8192,
  hash: 16384,
  star: 32768,
  high: 65536,
  nul: 131072,
  colon: 262144,
  line: 524288,
  plus: 1048576,
  backtick: 2097152,
  blank: 4194304,
  other: 8388608,
  /** What base64 of either alphabet may hold. */
  ofBase64: 1024 + 128 + 8192 + 1048576,
};

const bitOfByte: number[] = makeBitOfByte();

function makeBitOfByte(): number[] {
  const made: number[] = [];
  for (let code = 0; code <= 256; code++) made.push(code >= 128 && code < 256 ? byteBits.high : 0);
  const put = (bytes: string, bit: number) => {
    for (let at = 0; at < bytes.length; at++) made[bytes.charCodeAt(at)] = bit;
  };
  put('\'"', byteBits.quote);
  put('<>', byteBits.angle);
  put('()', byteBits.paren);
  put(';', byteBits.semicolon);
  put('|', byteBits.pipe);
  put('&', byteBits.ampersand);
  put('$', byteBits.dollar);
  put('/', byteBits.slash);
  put('\\', byteBits.backslash);
  put('%', byteBits.percent);
  put('=', byteBits.equals);
  put('{}', byteBits.brace);
  put('[]', byteBits.bracket);
  put('-', byteBits.hyphen);
  put('#', byteBits.hash);
  put('*', byteBits.star);
  put('\0', byteBits.nul);
  put(':', byteBits.colon);
  put('\r\n', byteBits.line);
  put('+', byteBits.plus);
  put('`', byteBits.backtick);
  put(' \t', byteBits.blank);
  put('!,.?@^~', byteBits.other);
  return made;
}

/** Which kinds of byte occur: one pass. */
export function bytesOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits |= bitOfByte[text.charCodeAt(at)]!;
  return bits;
}

/** Bits for the words of a text: which detectors have a word of theirs in it. */
export const wordBits = {
  sql: 1,
  markup: 2,
  script: 4,
  command: 8,
  file: 16,
  php: 32,
  template: 64,
  java: 128,
  address: 256,
  tool: 512,
  object: 1024,
  graphql: 2048,
  handler: 4096,
};

interface Literal {
  bits: number;
  /** Only where no letter, digit or underscore is on either side. */
  isWhole: boolean;
  length: number;
}

/**
 * A finite automaton (Aho–Corasick) over many literals, whatever their case: one step a byte. `steps` holds for state × kind of
 * byte the next state; kinds are those bytes that literals have, all others are kind 0 and lead to the start.
 */
export interface Automaton {
  kindOf: number[];
  kinds: number;
  steps: number[];
  /** For each state which of `literals` end there, 0: none. */
  found: number[];
  literals: Literal[][];
}

/** `list` by bits; a `~` in front of a literal: only as a whole word. */
export function makeAutomaton(lists: { bits: number; words: string[] }[]): Automaton {
  const kindOf: number[] = [];
  for (let code = 0; code <= 256; code++) kindOf.push(0);
  let kinds = 1;
  const literals: { text: string; literal: Literal }[] = [];
  for (const { bits, words } of lists)
    for (const written of words) {
      const isWhole = written.startsWith('~');
      const text = isWhole ? written.substring(1) : written;
      literals.push({ text, literal: { bits, isWhole, length: text.length } });
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (kindOf[code] !== 0) continue;
        kindOf[code] = kinds;
        if (code >= 97 && code <= 122) kindOf[code - 32] = kinds;
        kinds += 1;
      }
    }
  const automaton: Automaton = { kindOf, kinds, steps: [], found: [], literals: [[]] };
  addState(automaton);
  for (const { text, literal } of literals) addLiteral(automaton, text, literal);
  linkFailures(automaton);
  return automaton;
}

function addState({ steps, found, kinds }: Automaton): number {
  for (let kind = 0; kind < kinds; kind++) steps.push(-1);
  found.push(0);
  return found.length - 1;
}

function addLiteral(automaton: Automaton, text: string, literal: Literal): void {
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    const place = state * automaton.kinds + automaton.kindOf[text.charCodeAt(at)]!;
    if (automaton.steps[place]! < 0) automaton.steps[place] = addState(automaton);
    state = automaton.steps[place]!;
  }
  addFound(automaton, state, [literal]);
}

function addFound({ found, literals }: Automaton, state: number, more: Literal[]): void {
  literals.push([...literals[found[state]!]!, ...more]);
  found[state] = literals.length - 1;
}

/** Fills what is missing with the step of the longest suffix that is a state, breadth first. */
function linkFailures(automaton: Automaton): void {
  const { steps, found, kinds, literals } = automaton;
  const failures: number[] = [0];
  const queue: number[] = [];
  for (let kind = 0; kind < kinds; kind++) {
    const next = steps[kind]!;
    if (next < 0) steps[kind] = 0;
    else {
      failures[next] = 0;
      queue.push(next);
    }
  }
  for (let index = 0; index < queue.length; index++) {
    const state = queue[index]!;
    const failure = failures[state]!;
    const more = found[failure]!;
    if (more > 0) addFound(automaton, state, literals[more]!);
    for (let kind = 0; kind < kinds; kind++) {
      const place = state * kinds + kind;
      const other = steps[failure * kinds + kind]!;
      const next = steps[place]!;
      if (next < 0) steps[place] = other;
      else {
        failures[next] = other;
        queue.push(next);
      }
    }
  }
}

/** The bits of all literals that occur. */
export function findWords({ kindOf, kinds, steps, found, literals }: Automaton, text: string): number {
  let bits = 0;
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    state = steps[state * kinds + kindOf[text.charCodeAt(at)]!]!;
    const here = found[state]!;
    if (here === 0) continue;
    for (const { bits: added, isWhole, length } of literals[here]!)
      if (!isWhole || (!isWordAt(text, at + 1) && !isWordAt(text, at - length))) bits |= added;
  }
  return bits;
}

/** Of an automaton whose literals have numbers for bits: the numbers of those that occur. */
export function addAnchors(
  { kindOf, kinds, steps, found, literals }: Automaton,
  text: string,
  into: number[],
): void {
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    state = steps[state * kinds + kindOf[text.charCodeAt(at)]!]!;
    const here = found[state]!;
    if (here === 0) continue;
    for (const { bits } of literals[here]!) into[into.length] = bits;
  }
}

function isWordAt(text: string, at: number): boolean {
  return isKind(byteAt(text, at), word) && byteAt(text, at) < 128;
}
