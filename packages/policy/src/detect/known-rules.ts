import type { KnownRule } from '@breakwater/contract/known-vulnerability';
import { holding, type Holding } from '../lib/holding.ts';
import { addAnchors, makeAutomaton, type Automaton } from './marks.ts';

/** Rules for known vulnerabilities, made ready: what each is told by, and the texts by which most requests are known to be none of it. */

/** The texts between the stars of a pattern. */
export type Glob = string[];

export interface PreparedCondition {
  place: KnownRule['conditions'][number]['place'];
  name: Glob | undefined;
  value: Glob | undefined;
}

export interface PreparedKnownRule {
  id: string;
  isCertain: boolean;
  methods: Record<string, boolean> | undefined;
  path: Glob | undefined;
  conditions: PreparedCondition[];
  asksForBody: boolean;
}

export interface PreparedKnown {
  rules: PreparedKnownRule[];
  /** A text that stands in the target of each request that a rule is for; its bits are the number of the rule. */
  anchors: Automaton;
  /** Rules that are told by a header alone, by `headerKey`. */
  byHeader: Record<string, number[]>;
  /** Targets in which none of these texts stands. */
  plain: Holding<boolean>;
}

const plainMax = 16_000;
/** Shorter texts stand in too many targets; longer ones in hardly any but of the software that is meant. */
const anchorBytes = 3;
const tellingBytes = 6;
/** Headers that each request has, and those that are remembered by themselves. */
const commonHeaders: Record<string, boolean> = {
  host: true,
  'user-agent': true,
  accept: true,
  'accept-encoding': true,
  'accept-language': true,
  connection: true,
  cookie: true,
  referer: true,
};

/** The rules that nothing tells apart are left out: `anchorOf` says which. */
export function prepareKnown(rules: KnownRule[]): PreparedKnown {
  const anchors: { bits: number; words: string[] }[] = [];
  const known: PreparedKnown = {
    rules: [],
    anchors: makeAutomaton([]),
    byHeader: {},
    plain: holding<boolean>(plainMax),
  };
  for (const rule of rules) {
    const anchor = anchorOf(rule);
    if (anchor === undefined) continue;
    const number = known.rules.length;
    known.rules[number] = preparedRule(rule);
    if (anchor.header === undefined) anchors[anchors.length] = { bits: number, words: [anchor.text] };
    else {
      const key = headerKey(anchor.header);
      const others = known.byHeader[key] ?? [];
      others[others.length] = number;
      known.byHeader[key] = others;
    }
  }
  known.anchors = makeAutomaton(anchors);
  return known;
}

/** In JavaScript every object also has a `constructor`. */
export const headerKey = (name: string): string => `=${name}`;

function preparedRule({ id, certainty, methods, path, conditions }: KnownRule): PreparedKnownRule {
  const prepared: PreparedKnownRule = {
    id,
    isCertain: certainty === 'certain',
    methods: undefined,
    path: path === undefined ? undefined : path.split('*'),
    conditions: [],
    asksForBody: false,
  };
  if (methods !== undefined) {
    prepared.methods = {};
    for (const method of methods) prepared.methods[method] = true;
  }
  for (const { place, name, value } of conditions) {
    prepared.conditions[prepared.conditions.length] = {
      place,
      name: name === undefined ? undefined : name.split('*'),
      value: value === undefined ? undefined : value.split('*'),
    };
    if (place === 'body') prepared.asksForBody = true;
  }
  return prepared;
}

export interface Anchor {
  text: string;
  /** The name of the header that tells it. */
  header?: string;
}

/** What each request has that a rule is for: the longest text of its path, else of a parameter, else a header that few have. */
export function anchorOf({ path, conditions }: KnownRule): Anchor | undefined {
  let text = path === undefined ? '' : longestOf(path);
  if (text.length < tellingBytes)
    for (const pattern of patternsOfQuery(conditions)) {
      const other = longestOf(pattern);
      if (other.length > text.length) text = other;
    }
  if (text.length >= anchorBytes) return { text };
  for (const { place, name } of conditions)
    if (place === 'header' && name !== undefined && name.indexOf('*') < 0 && commonHeaders[name] !== true)
      return { text: name, header: name };
  return undefined;
}

function patternsOfQuery(conditions: KnownRule['conditions']): string[] {
  const patterns: string[] = [];
  for (const { place, name, value } of conditions) {
    if (place !== 'query') continue;
    if (name !== undefined) patterns[patterns.length] = name;
    if (value !== undefined) patterns[patterns.length] = value;
  }
  return patterns;
}

/** Of the pieces that come out alike however a target is written. */
function longestOf(pattern: string): string {
  let pieces = [pattern];
  for (const separator of ['*', '/', ' ', '\\']) pieces = splitBy(pieces, separator);
  let longest = '';
  for (const piece of pieces) {
    // What stands behind a semicolon may be a parameter of the segment; a tilde marks whole words.
    const [plain = ''] = piece.split(';');
    if (plain.length > longest.length && !plain.startsWith('~')) longest = plain;
  }
  return longest;
}

function splitBy(pieces: string[], separator: string): string[] {
  const all: string[] = [];
  for (const piece of pieces) for (const part of piece.split(separator)) all[all.length] = part;
  return all;
}

/** The numbers of the rules that a lower-case target may be of. */
export function anchoredIn({ anchors }: PreparedKnown, text: string): number[] {
  const found: number[] = [];
  addAnchors(anchors, text, found);
  return found;
}
