import { numberOf } from './bytes.ts';
import type { Tokens } from './sql-tokens.ts';
import { dangerousCalls, systemNames, Token } from './sql-words.ts';

/** What an operand is; the higher, the less it is prose. */
export const Operand = { none: 0, word: 1, literal: 2, call: 3, telling: 4, query: 5, dangerous: 6 } as const;

export interface OperandAt {
  kind: number;
  /** The token after it. */
  next: number;
}

const stepsMax = 24;

/** The operand at token `from`, with its signs, `not`s and what is calculated with it. */
export function operandAt(tokens: Tokens, from: number): OperandAt {
  let best = simpleAt(tokens, from);
  if (best.kind === Operand.none) return best;
  for (let count = 0; count < stepsMax; count++) {
    if (tokens.kinds[best.next] !== Token.arithmetic) break;
    const more = simpleAt(tokens, best.next + 1);
    if (more.kind === Operand.none) break;
    best = { kind: more.kind > best.kind ? more.kind : best.kind, next: more.next };
  }
  return best;
}

function simpleAt(tokens: Tokens, from: number): OperandAt {
  const { kinds, words, partner } = tokens;
  let at = from;
  while (
    kinds[at] === Token.not ||
    kinds[at] === Token.all ||
    (kinds[at] === Token.arithmetic && at < from + stepsMax)
  )
    at += 1;
  const kind = kinds[at];
  if (kind === Token.number || kind === Token.text || kind === Token.constant)
    return { kind: Operand.literal, next: at + 1 };
  if (kind === Token.variable) {
    const isSystem = words[at]!.startsWith('@@');
    return { kind: isSystem ? Operand.telling : Operand.word, next: at + 1 };
  }
  // One that is never closed is closed by the query around.
  if (kind === Token.open && partner[at]! < 0)
    return from + stepsMax > at ? simpleAt(tokens, at + 1) : { kind: Operand.none, next: from };
  if (kind === Token.open) return groupAt(tokens, at);
  if (kind === Token.case) return { kind: Operand.query, next: pastEnd(tokens, at) };
  if (kind === Token.select && kinds[at - 1] === Token.open) return { kind: Operand.query, next: at + 1 };
  const isCallable =
    kind === Token.word || (kind !== undefined && kinds[at + 1] === Token.open && kind >= Token.union);
  if (!isCallable && !(kind === Token.compare && words[at] === 'exists'))
    return { kind: Operand.none, next: from };
  return namedAt(tokens, at, partner);
}

/** A column, or a call: `a`, `a.b.c`, `f(…)`, `a.f(…)`. */
function namedAt(tokens: Tokens, from: number, partner: Tokens['partner']): OperandAt {
  const { kinds, words } = tokens;
  let at = from;
  let worst = callKind(words[at]!);
  while (kinds[at + 1] === Token.dot && kinds[at + 2] !== undefined && at < from + stepsMax) {
    at += 2;
    if (callKind(words[at]!) > worst) worst = callKind(words[at]!);
  }
  if (kinds[at + 1] !== Token.open)
    return { kind: numberOf(systemNames, words[from]!) > 0 ? Operand.telling : Operand.word, next: at + 1 };
  const inner = groupAt(tokens, at + 1);
  const next = partner[at + 1]! < 0 ? tokens.count : inner.next;
  const kind = worst > inner.kind ? worst : inner.kind;
  return { kind: kind < Operand.call ? Operand.call : kind, next };
}

function callKind(name: string): number {
  const danger = numberOf(dangerousCalls, name);
  if (danger >= 5) return Operand.dangerous;
  return danger > 0 ? Operand.telling : Operand.word;
}

/** What stands in parentheses: as bad as the worst in it. */
function groupAt(tokens: Tokens, open: number): OperandAt {
  const { kinds, partner, words } = tokens;
  const close = partner[open]! < 0 ? tokens.count : partner[open]!;
  let worst: number = close === open + 1 ? Operand.call : Operand.word;
  for (let at = open + 1; at < close && at < open + 60; at++) {
    const kind = kinds[at];
    let here: number = Operand.word;
    if (kind === Token.select) here = Operand.query;
    else if (kind === Token.number || kind === Token.text) here = Operand.literal;
    else if (kinds[at + 1] === Token.open && words[at] !== '') here = callKind(words[at]!);
    if (here > worst) worst = here;
  }
  return { kind: worst, next: partner[open]! < 0 ? tokens.count : close + 1 };
}

function pastEnd(tokens: Tokens, from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.count && at < from + 200; at++) {
    if (tokens.kinds[at] === Token.case) depth += 1;
    else if (tokens.kinds[at] === Token.end) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.count;
}
