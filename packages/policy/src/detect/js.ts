import { blank, byteAt, isKind, skip, startsWithAny, word, wordsOf } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const jsLiterals =
  '~window ~self ~top ~parent ~frames ~globalthis ~this ~document constructor __proto__ alert prompt confirm eval settimeout setinterval function fetch( fromcharcode atob( import( innerhtml outerhtml insertadjacent location cookie require( process. child_process xmlhttprequest localstorage sendbeacon reflect. onerror getownproperty [][ []+ +[] +{} ![] {}[ (![ !+[ =>';

export const js: Detector = {
  name: 'js',
  group: 'xss',
  mayFind: ({ bytes, words }) =>
    (words & wordBits.script) !== 0 &&
    (bytes & (byteBits.paren | byteBits.bracket | byteBits.equals | byteBits.backtick | byteBits.brace)) !==
      0,
  find: findJs,
};

function findJs(subject: Subject): Hit | undefined {
  const { text, lower } = subject;
  let best = stronger(computedCall(text, lower), signRun(text));
  best = stronger(best, chains(subject));
  best = stronger(best, calls(text, lower));
  best = stronger(best, aliases(text, lower));
  return best;
}

const globals = wordsOf('window self top parent frames globalthis this document');

/** ``window['al'+'ert'](…)``: a function of the browser by a name that is put together. */
function computedCall(text: string, lower: string): Hit | undefined {
  let best: Hit | undefined;
  for (const name of globals) {
    let at = lower.indexOf(name);
    for (let count = 0; at >= 0 && count < 40; count++) {
      const score =
        isWordAt(text, at - 1) || byteAt(text, at - 1) === 46 ? 0 : memberScore(text, at + name.length);
      if (score > 0 && (best === undefined || score > best.score))
        best = { score, offset: at, why: `a call by a computed name of ${name}` };
      at = lower.indexOf(name, at + name.length);
    }
  }
  return best;
}

function isWordAt(text: string, at: number): boolean {
  return isKind(byteAt(text, at), word);
}

function memberScore(text: string, from: number): number {
  const at = skipGaps(text, from);
  if (byteAt(text, at) !== 91) return 0;
  const close = closeOf(text, at);
  if (close < 0) return 0;
  const isComputed = isText(text, at + 1, close);
  if (!isComputed) return 0;
  const after = skipGaps(text, close + 1);
  const next = byteAt(text, after);
  if (next === 40 || next === 96 || (next === 63 && byteAt(text, after + 1) === 46)) return 7;
  if (next === 91) return 6;
  return next === 61 && byteAt(text, after + 1) !== 61 ? 5 : 0;
}

/** Blanks and comments. */
function skipGaps(text: string, from: number): number {
  let at = skip(text, from, blank);
  for (let count = 0; count < 8 && byteAt(text, at) === 47 && byteAt(text, at + 1) === 42; count++) {
    const stop = text.indexOf('*/', at + 2);
    if (stop < 0) return at;
    at = skip(text, stop + 2, blank);
  }
  return at;
}

function closeOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length && at < open + 600; at++) {
    const code = text.charCodeAt(at);
    if (code === 91) depth += 1;
    else if (code === 93) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** A text, a pattern's source or signs: not the plain name of a variable. */
function isText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 39 || code === 34 || code === 96 || code === 47 || code === 33 || code === 92) return true;
  }
  return false;
}

/** Programs of `[]()!+` alone. */
function signRun(text: string): Hit | undefined {
  let start = -1;
  let signs = 0;
  let lists = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = byteAt(text, at);
    const isSign =
      code === 91 ||
      code === 93 ||
      code === 40 ||
      code === 41 ||
      code === 33 ||
      code === 43 ||
      code === 123 ||
      code === 125;
    if (isSign) {
      if (start < 0) start = at;
      if (code === 33 || code === 43) signs += 1;
      if (code === 91) lists += 1;
      continue;
    }
    if (start >= 0 && at - start >= 20 && signs >= 4 && lists >= 3)
      return { score: 8, offset: start, why: 'a program of signs alone' };
    start = -1;
    signs = 0;
    lists = 0;
  }
  return undefined;
}

/** Ways from any value to the maker of functions. */
function chains({ lower, isPasted }: Subject): Hit | undefined {
  const at = lower.indexOf('constructor');
  if (at >= 0) {
    const after = skipGaps(lower, at + 11);
    const isStep =
      lower.startsWith('.constructor', after) ||
      lower.startsWith('.prototype', after) ||
      lower.startsWith('"]', after) ||
      lower.startsWith("']", after);
    const isCalled = byteAt(lower, after) === 40 && byteAt(lower, at - 1) === 46;
    if (lower.indexOf('constructor', at + 11) >= 0 && !isPasted && (isStep || lower.indexOf('(', at) >= 0))
      return { score: 7, offset: at, why: 'a chain of constructors' };
    if (isStep && (lower.indexOf('=', after) >= 0 || lower.indexOf('(', after) >= 0) && !isPasted)
      return { score: 6, offset: at, why: 'a chain of constructors' };
    if (isCalled && (byteAt(lower, after + 1) === 39 || byteAt(lower, after + 1) === 34))
      return { score: 7, offset: at, why: 'a function made of a text' };
    const isAlone = lower.startsWith("'constructor'", at - 1) || lower.startsWith('"constructor"', at - 1);
    if (isAlone && lower.indexOf('getownproperty') >= 0)
      return { score: 6, offset: at, why: 'a chain of constructors' };
    if (isAlone && lower.indexOf('(') >= 0 && !isPasted)
      return { score: 5, offset: at, why: 'a constructor by name' };
  }
  const proto = lower.indexOf('__proto__');
  if (proto >= 0 && !isPasted) return { score: 6, offset: proto, why: 'the prototype of all objects' };
  return undefined;
}

const probes = wordsOf('alert prompt confirm');
/** What runs texts, leads away or reads what belongs to the visitor; 7 by itself where it runs a text that is put together. */
const actions = wordsOf(
  'eval( settimeout( setinterval( function( fetch( fromcharcode( atob( import( document.cookie document.write( document.location location.href= location= .innerhtml= localstorage. sendbeacon( require( xmlhttprequest',
);

function calls(text: string, lower: string): Hit | undefined {
  let best: Hit | undefined;
  for (const name of probes) {
    let at = lower.indexOf(name);
    for (let count = 0; at >= 0 && count < 40; count++) {
      const score = probeScore(text, lower, at, at + name.length);
      if (score > 0 && (best === undefined || score > best.score))
        best = { score, offset: at, why: `a call of ${name}` };
      at = lower.indexOf(name, at + name.length);
    }
  }
  return actionHit(text, lower, best);
}

const hidden = wordsOf('atob string.from unescape \'\\ "\\ location name)');

/** With the worst of the probes, where there is one. */
function actionHit(text: string, lower: string, probe: Hit | undefined): Hit | undefined {
  let best = probe;
  let count = 0;
  for (const name of actions) {
    const at = lower.indexOf(name);
    if (at < 0 || (isWordAt(text, at - 1) && isKind(byteAt(name, 0), word))) continue;
    count += 1;
    const score = actionScore(text, lower, name, at);
    if (best === undefined || score > best.score) best = { score, offset: at, why: `a call: ${name}` };
  }
  const isShort = lower.length < 300 && text.indexOf('\n') < 0;
  if (count >= 2 && best !== undefined && best.score < 5 && isShort)
    return { score: 5, offset: best.offset, why: `${best.why} and more` };
  return best;
}

function actionScore(text: string, lower: string, name: string, at: number): number {
  const inner = at + name.length;
  if (name === 'eval(' && startsWithAny(lower, hidden, inner)) return 7;
  const takesText = name === 'settimeout(' || name === 'setinterval(' || name === 'function(';
  if (takesText && startsWithAny(lower, ["'", '"'], inner)) return 6;
  return breaksOut(text, at) ? 6 : 3;
}

/** `alert(1)`: 4 alone, more where it is called after something was ended, or in a way to hide it. */
function probeScore(text: string, lower: string, at: number, after: number): number {
  const next = byteAt(text, skipGaps(text, after));
  if (isWordAt(text, at - 1)) return 0;
  if (next === 96) return 7;
  if (next === 41 && byteAt(text, at - 1) === 40)
    return lower.indexOf('(', after) >= 0 || lower.indexOf('`', after) >= 0 ? 6 : 3;
  if (next === 63 && byteAt(text, skipGaps(text, after) + 1) === 46) return 6;
  if (
    next === 46 &&
    (lower.startsWith('.call', after) ||
      lower.startsWith('.apply', after) ||
      lower.startsWith('.bind', after))
  )
    return 6;
  if (next !== 40) return 0;
  if (breaksOut(text, at)) return 7;
  return text.length < 200 && text.indexOf('\n') < 0 ? 5 : 4;
}

/** Whether a quote, a bracket or a statement ends right in front of a place, near the beginning of the text. */
function breaksOut(text: string, at: number): boolean {
  let index = at - 1;
  let steps = 0;
  while (index >= 0 && steps < 4) {
    const code = text.charCodeAt(index);
    if (code === 39 || code === 34 || code === 96) return steps > 0 && (index < 60 || text.length > 4000);
    const isJoint =
      code === 59 ||
      code === 45 ||
      code === 43 ||
      code === 42 ||
      code === 94 ||
      code === 124 ||
      code === 38 ||
      code === 41 ||
      code === 125 ||
      code === 44 ||
      code === 63 ||
      code === 60;
    if (!isJoint && !isKind(code, blank)) return false;
    steps += 1;
    index -= 1;
  }
  return false;
}

/** `a=alert;a(1)`, `[1].map(alert)`, `onerror=alert;throw 1`. */
function aliases(text: string, lower: string): Hit | undefined {
  for (const name of probes) {
    const at = lower.indexOf(name);
    if (at < 0 || isWordAt(text, at - 1) || isWordAt(text, at + name.length)) continue;
    const before = byteAt(text, at - 1);
    const after = byteAt(text, at + name.length);
    const isAssigned = before === 61 && (after === 59 || after === 44 || after === 41 || after === 125);
    if (isAssigned && (lower.indexOf('throw') >= 0 || lower.indexOf('(') >= 0))
      return { score: 6, offset: at, why: `another name for ${name}` };
    if (before === 40 && after === 41 && byteAt(text, at - 2) !== 32 && isWordAt(text, at - 2)) {
      if (lower.indexOf('].') >= 0) return { score: 6, offset: at, why: `${name} as a callback` };
    }
  }
  return undefined;
}
