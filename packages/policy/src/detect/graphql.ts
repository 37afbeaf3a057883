import { byteAt, isKind, skip, blank, word, wordsOf } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Words of queries that ask for the schema itself, and of operations. */
export const graphqlLiterals = '__schema __type query mutation subscription fragment';

/**
 * Queries of GraphQL that ask for more than applications do: the schema, the same field under hundreds of names (a way to try
 * passwords in one request), levels within levels, fragments that contain themselves.
 */
export const graphql: Detector = {
  name: 'graphql',
  group: 'graphql',
  mayFind: ({ bytes, words, text }) =>
    (bytes & byteBits.brace) !== 0 &&
    ((words & wordBits.graphql) !== 0 || byteAt(text, skip(text, 0, blank)) === 123),
  find: findAbuse,
};

const operations = wordsOf('query mutation subscription fragment');
const depthMax = 20;
const aliasesMax = 60;
const stepsMax = 100_000;

function findAbuse({ text, lower, part }: Subject): Hit | undefined {
  if (part.place === 'header' || part.place === 'cookie' || !isQuery(lower)) return undefined;
  let best: Hit | undefined;
  const schema = lower.indexOf('__schema');
  if (schema >= 0 && followedByBrace(text, schema + 8))
    best = { score: 4, offset: schema, why: 'the schema is asked for' };
  return stronger(best, stronger(tooDeep(text), ownFragment(text, lower)));
}

/** `query {`, `mutation a($b: Int) {`, `{ a {`: an operation with selections. */
function isQuery(lower: string): boolean {
  const from = skip(lower, 0, blank);
  if (byteAt(lower, from) === 123) {
    // `{"a":1}` is data.
    const next = skip(lower, from + 1, blank);
    return isKind(byteAt(lower, next), word) && lower.indexOf('}', next) > 0;
  }
  for (const operation of operations)
    if (lower.startsWith(operation, from) && lower.indexOf('{', from) > 0)
      return !isKind(byteAt(lower, from + operation.length), word);
  return false;
}

function followedByBrace(text: string, from: number): boolean {
  return byteAt(text, skip(text, from, blank)) === 123;
}

/** Levels of selections, and names given to fields: `a: login(…)`. */
function tooDeep(text: string): Hit | undefined {
  let depth = 0;
  let brackets = 0;
  let aliases = 0;
  for (let at = 0; at < text.length && at < stepsMax; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = text.indexOf('"', at + 1);
      if (at < 0) return undefined;
    } else if (code === 40) brackets += 1;
    else if (code === 41) brackets -= 1;
    else if (code === 123 && brackets === 0) depth += 1;
    else if (code === 125 && brackets === 0) depth -= 1;
    else if (code === 58 && brackets === 0 && depth > 0) aliases += 1;
    if (depth > depthMax) return { score: 6, offset: at, why: 'selections within selections' };
    if (aliases > aliasesMax) return { score: 6, offset: at, why: 'many names for fields' };
  }
  return undefined;
}

/** `fragment a on B { ...a }` */
function ownFragment(text: string, lower: string): Hit | undefined {
  let at = lower.indexOf('fragment ');
  for (let count = 0; at >= 0 && count < 50; count++) {
    const from = skip(text, at + 9, blank);
    const stop = skip(text, from, word);
    const end = lower.indexOf('fragment ', stop);
    const body = text.substring(stop, end < 0 ? text.length : end);
    const spread = body.indexOf(`...${text.substring(from, stop)}`);
    if (stop > from && spread >= 0 && !isKind(byteAt(body, spread + 3 + stop - from), word))
      return { score: 6, offset: at, why: 'a fragment in itself' };
    at = end;
  }
  return undefined;
}
