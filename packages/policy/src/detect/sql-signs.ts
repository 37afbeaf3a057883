import { numberOf } from './bytes.ts';
import { Operand, operandAt } from './sql-operand.ts';
import type { Tokens } from './sql-tokens.ts';
import { dangerousCalls, statementFollowers, systemNames, Token } from './sql-words.ts';

/** A text as tokens, and how it would stand in a query. */
export interface Query {
  tokens: Tokens;
  /** A quote of the text has ended the one that the query had around it. */
  breaksOut: boolean;
  /** The text is a statement itself, as people write and paste them. */
  isStatement: boolean;
  /** The token from which on it reads as prose: words that only follow each other; past all tokens where it does not. */
  prose: number;
}

/** The score of what stands at a token, 0 for nothing; `why` says it. */
export interface Sign {
  score: number;
  why: string;
}

export const nothing: Sign = { score: 0, why: '' };

/** Whether the text ends here, or goes on in a way that a query could. */
export function endsAt({ tokens }: Query, at: number): boolean {
  const kind = tokens.kinds[at];
  return kind === undefined || kind === Token.comment || kind === Token.semicolon || kind === Token.close;
}

function goesOn(query: Query, at: number): boolean {
  const kind = query.tokens.kinds[at];
  if (endsAt(query, at)) return true;
  return (
    kind === Token.logic ||
    kind === Token.union ||
    kind === Token.order ||
    kind === Token.limit ||
    kind === Token.having ||
    kind === Token.when ||
    kind === Token.comma ||
    kind === Token.compare ||
    kind === Token.arithmetic
  );
}

/** `UNION [ALL] SELECT` and what is selected. */
export function unionAt(query: Query, at: number): Sign {
  const { kinds } = query.tokens;
  let next = at + 1;
  while (kinds[next] === Token.all || kinds[next] === Token.open) next += 1;
  if (kinds[next] !== Token.select) return nothing;
  next += 1;
  while (kinds[next] === Token.all) next += 1;
  const kind = kinds[next];
  if (kind === undefined || kind === Token.comment)
    return { score: query.breaksOut ? 6 : 4, why: 'union select' };
  const after = kinds[next + 1];
  if (kind === Token.word && after !== Token.comma && after !== Token.dot && after !== Token.open) {
    const isQuery =
      after === Token.from || (endsAt(query, next + 1) && after !== undefined) || query.breaksOut;
    if (!isQuery) return { score: 3, why: 'union select' };
  }
  if (query.isStatement) return { score: 4, why: 'a whole query with union select' };
  return { score: 9, why: 'union select with a list' };
}

/** `or 1=1` and its kin. */
export function logicAt(query: Query, at: number): Sign {
  const { kinds, words } = query.tokens;
  const left = operandAt(query.tokens, at + 1);
  if (left.kind === Operand.none) return nothing;
  const out = query.breaksOut;
  if (left.kind === Operand.dangerous)
    return { score: out || !query.isStatement ? 8 : 4, why: 'logic with a dangerous function' };
  const isSign = words[at] === '||' || words[at] === '&&';
  if (left.kind === Operand.query && !query.isStatement) return { score: 8, why: 'logic with a query' };
  let next = left.next;
  while (kinds[next] === Token.not) next += 1;
  if (kinds[next] !== Token.compare) return withoutComparison(query, at, left.kind, left.next);
  while (kinds[next] === Token.compare || kinds[next] === Token.not) next += 1;
  const right = operandAt(query.tokens, next);
  if (right.kind === Operand.none || query.isStatement) return nothing;
  if (right.kind >= Operand.query) return { score: 8, why: 'logic with a comparison to a query' };
  return comparison(query, left.kind, right.kind, goesOn(query, right.next), isSign);
}

function comparison(
  { breaksOut: out }: Query,
  left: number,
  right: number,
  ends: boolean,
  isSign: boolean,
): Sign {
  const isFixed = left === Operand.literal && right === Operand.literal;
  if (!ends) return { score: isFixed && out ? 5 : 3, why: 'logic with a comparison' };
  if (left === Operand.telling || right === Operand.telling)
    return { score: out ? 8 : 6, why: 'logic that asks the server' };
  if (isFixed) return { score: out ? 8 : isSign ? 5 : 7, why: 'logic with a comparison of two constants' };
  if (out) return { score: 6, why: 'logic with a comparison after a quote' };
  return { score: 3, why: 'logic with a comparison' };
}

function withoutComparison(query: Query, at: number, kind: number, next: number): Sign {
  const { kinds } = query.tokens;
  const isConcat = query.tokens.words[at] === '||';
  if (query.isStatement) return nothing;
  if (kind === Operand.telling && (query.breaksOut || isConcat))
    return { score: query.breaksOut ? 7 : 4, why: 'logic with a function of the server' };
  if (
    kind === Operand.literal &&
    query.breaksOut &&
    at < 8 &&
    (endsAt(query, next) || kinds[next] === Token.limit)
  )
    return { score: kinds[next] === Token.comment ? 7 : 5, why: 'logic with a constant after a quote' };
  if (kind === Operand.literal && kinds[next] === Token.comment)
    return { score: 5, why: 'logic with a constant and a comment' };
  if (query.breaksOut && kinds[next] === Token.comment)
    return { score: 5, why: 'logic after a quote, the rest cut off' };
  return nothing;
}

const strong = ' drop truncate exec execute declare waitfor shutdown ';

/** `; DROP TABLE x`: a statement after another. */
export function stackedAt(query: Query, at: number): Sign {
  const { kinds, words } = query.tokens;
  if (query.isStatement) return nothing;
  if (kinds[at + 1] === Token.select) return stackedSelect(query, at + 1);
  if (kinds[at + 1] !== Token.statement) return nothing;
  const name = words[at + 1]!;
  const why = `a second statement: ${name}`;
  const own = ownScore(query, name, at + 2);
  if (own >= 0) return { score: own, why };
  const follower = kinds[at + 2];
  const follows = numberOf(statementFollowers, words[at + 2] ?? '') > 0;
  if (!follows && follower !== Token.from && follower !== Token.into) return nothing;
  const isSure = query.breaksOut || strong.indexOf(` ${name} `) >= 0 || kinds[at + 3] === Token.word;
  return { score: isSure ? 8 : 5, why };
}

function stackedSelect(query: Query, at: number): Sign {
  const why = 'a second statement: select';
  const operand = operandAt(query.tokens, at + 1);
  if (operand.kind >= Operand.telling) return { score: 8, why };
  const isList = query.tokens.words[at + 1] === '*' || operand.kind === Operand.literal;
  if (operand.kind === Operand.none && !isList) return nothing;
  const isSure = (query.breaksOut && isList) || query.tokens.kinds[operand.next] === Token.from;
  return { score: isSure ? 6 : 3, why };
}

/** Of statements with a form of their own, whose second word is at `next`; -1 for others. */
function ownScore(query: Query, name: string, next: number): number {
  const { kinds, words } = query.tokens;
  const kind = kinds[next];
  if (name === 'shutdown') return endsAt(query, next) ? 7 : 0;
  if (name === 'declare') return kind === Token.variable ? 8 : -1;
  if (name === 'update') return words[next + 1] === 'set' ? 8 : -1;
  if (name === 'if') return kind === Token.open && query.breaksOut ? 7 : -1;
  if (name === 'copy') return words[next + 1] === 'from' || words[next + 1] === 'to' ? 8 : -1;
  if (name !== 'exec' && name !== 'execute') return -1;
  if (kind !== Token.word && kind !== Token.open) return -1;
  return query.breaksOut || numberOf(dangerousCalls, words[next]!) > 0 ? 8 : 4;
}

/** A name or a call that queries of visitors do not need. */
export function nameAt(query: Query, at: number): Sign {
  const { kinds, words } = query.tokens;
  const name = words[at]!;
  if (name === '') return nothing;
  const system = numberOf(systemNames, name);
  if (system === 7 && isInQuery(query, at))
    return { score: query.isStatement ? 6 : 7, why: `a table of the server: ${name}` };
  if (system === 6 && kinds[at - 1] === Token.into) return { score: 8, why: `into ${name}` };
  const danger = numberOf(dangerousCalls, name);
  if (danger === 0) return nothing;
  const isCall = kinds[at + 1] === Token.open || (danger === 8 && kinds[at + 1] === Token.dot);
  if (!isCall) {
    const isExecuted = words[at - 1] === 'exec' || words[at - 1] === 'execute' || words[at - 1] === 'dbo';
    return danger === 8 && isExecuted ? { score: 8, why: `the procedure ${name}` } : nothing;
  }
  if (danger === 8) return { score: 8, why: `the function ${name}` };
  return callAt(query, at, name, danger);
}

function callAt(query: Query, at: number, name: string, danger: number): Sign {
  const { kinds } = query.tokens;
  const before = kinds[at - 1];
  const isInside =
    isOperator(before) || before === Token.select || before === Token.comma || before === Token.when;
  if (danger === 7) return { score: isInside || at === 0 ? 7 : 5, why: `the function ${name}` };
  if (name === 'sleep') return sleepAt(query, at, isInside);
  if (isOperator(before) && query.breaksOut && at > 1)
    return { score: danger === 5 ? 7 : 6, why: `the function ${name} after a quote` };
  if (before === Token.select)
    return { score: endsAt(query, at + 3) || danger === 5 ? 5 : 4, why: `select with ${name}` };
  return nothing;
}

function sleepAt(query: Query, at: number, isInside: boolean): Sign {
  const { kinds } = query.tokens;
  const isNumber = kinds[at + 2] === Token.number && kinds[at + 3] === Token.close;
  const isNested = kinds[at + 2] === Token.open || kinds[at + 2] === Token.arithmetic;
  if (!isNumber && !isNested) return nothing;
  if (kinds[at - 1] === Token.select || (isInside && (query.breaksOut || kinds[at - 1] === Token.comma)))
    return { score: 8, why: 'the function sleep' };
  return { score: isInside ? 6 : kinds[at - 1] === undefined ? 5 : 3, why: 'the function sleep' };
}

export function isOperator(kind: number | undefined): boolean {
  return kind === Token.logic || kind === Token.compare || kind === Token.arithmetic || kind === Token.not;
}

function isInQuery({ tokens }: Query, at: number): boolean {
  for (let index = at - 1; index >= 0 && index > at - 40; index--) {
    const kind = tokens.kinds[index];
    if (kind === Token.from || kind === Token.select || kind === Token.into || kind === Token.where)
      return true;
  }
  return tokens.kinds[at + 1] === Token.dot;
}
