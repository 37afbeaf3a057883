import { blank, byteAt, skip } from './bytes.ts';
import { hasPercent } from './decode-bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { Operand, operandAt } from './sql-operand.ts';
import {
  endsAt,
  isOperator,
  logicAt,
  nameAt,
  nothing,
  stackedAt,
  unionAt,
  type Query,
  type Sign,
} from './sql-signs.ts';
import { sqlTokens, type Tokens } from './sql-tokens.ts';
import { Token } from './sql-words.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Words without one of which no SQL is told from anything else; `~`: as whole words. */
export const sqlLiterals =
  'union select ~or ~and ~xor || && sleep benchmark waitfor ~having ~order ~group ~into ~case insert update delete ~drop ~exec execute declare shutdown truncate ~alter create ~copy information_schema pg_ utl_ dbms_ xp_ sp_ extractvalue updatexml load_file make_set name_const randomblob openrowset opendatasource load_extension query_to_xml database_to_xml has_dbaccess is_srvrolemember fn_my_permissions \' " @@ dblink lo_import lo_export sys_ ctxsys httpuritype procedure';

export const sql: Detector = {
  name: 'sql',
  group: 'sql',
  mayFind: ({ bytes, words }) => bytes !== 0 && (words & wordBits.sql) !== 0,
  find: findSql,
};

/** As a number or name of the query, then as the inside of a text with either quote around it. */
function findSql({ text, bytes }: Subject): Hit | undefined {
  // Escapes that are left mean that this is not yet what the server reads.
  if ((bytes & byteBits.percent) !== 0 && hasPercent(text)) return undefined;
  let best = judge(text, 0, false);
  for (const quote of ["'", '"']) {
    const at = text.indexOf(quote);
    // The first quote of data or program code, `{"a":…`, opens a text there.
    if (at < 0 || isOpening(byteAt(text, at - 1))) continue;
    const hit = judge(text, at + 1, true);
    if (hit !== undefined && (best === undefined || hit.score > best.score)) best = hit;
  }
  return best;
}

/** `{`, `[` and `:`. */
function isOpening(code: number): boolean {
  return code === 123 || code === 91 || code === 58;
}

function judge(text: string, from: number, breaksOut: boolean): Hit | undefined {
  const tokens = sqlTokens(text, from, breaksOut);
  const first = tokens.kinds[0];
  const second = tokens.words[1] ?? '';
  const isStatement =
    !breaksOut &&
    (first === Token.select ||
      (first === Token.statement && second !== '') ||
      tokens.words[0] === 'with' ||
      tokens.words[0] === 'explain');
  const query: Query = { tokens, breaksOut, isStatement, prose: proseFrom(tokens, breaksOut) };
  let best = nothing;
  let offset = 0;
  let foreign = 0;
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.kinds[at] === Token.foreign) foreign += 1;
    const sign = signAt(query, at);
    const score = at > query.prose ? sign.score - proseLoss(query, sign.score) : sign.score;
    if (score <= best.score) continue;
    best = { score, why: sign.why };
    offset = tokens.starts[at]!;
  }
  if (isStatement) {
    const whole = statement(query);
    if (whole.score > best.score) best = whole;
  }
  if (breaksOut) {
    const ending = cutOff(query, text, from);
    if (ending.score > best.score) best = ending;
  }
  if (tokens.inlineComments > 0 && best.score >= 3)
    best = { score: best.score + 1, why: `${best.why}, with comments inside` };
  // Program code has `==`, `=>` and the like, and much of what SQL has too.
  const score = foreign > 0 && best.score < 9 ? best.score - 3 : best.score;
  return score > 0 ? { score: score > 10 ? 10 : score, offset, why: best.why } : undefined;
}

/** Where two words only follow each other, or a quote is followed by what no query goes on with, as in `O'Brien and 2`. */
function proseFrom({ count, kinds, words }: Tokens, breaksOut: boolean): number {
  const first = kinds[breaksOut ? 1 : 0];
  if (breaksOut && (first === Token.word || first === Token.number || first === Token.other)) return 0;
  if (
    !breaksOut &&
    (first === Token.compare || first === Token.logic) &&
    words[0] !== '||' &&
    words[0] !== '&&' &&
    kinds[1] !== Token.text
  )
    return 0;
  for (let at = breaksOut ? 1 : 0; at + 1 < count; at++)
    if (
      kinds[at] === Token.word &&
      (kinds[at + 1] === Token.word || kinds[at + 1] === Token.select || kinds[at + 1] === Token.number)
    )
      return at;
    else if (kinds[at] === Token.number && kinds[at + 1] === Token.word) return at;
  return count;
}

/** Prose costs what is weak most of its score; `; drop table x--` after it stays. */
function proseLoss({ tokens }: Query, score: number): number {
  if (tokens.kinds[tokens.count - 1] === Token.comment) return score >= 7 ? 1 : 2;
  return score >= 9 ? 2 : 4;
}

function signAt(query: Query, at: number): Sign {
  const { kinds } = query.tokens;
  const kind = kinds[at];
  if (kind === Token.union)
    return at > 0 || query.breaksOut ? unionAt(query, at) : opening(unionAt(query, at));
  if (kind === Token.logic) return logicAt(query, at);
  if (kind === Token.semicolon) return stackedAt(query, at);
  if (kind === Token.select) return subqueryAt(query, at);
  if (kind === Token.order || kind === Token.having) return orderAt(query, at);
  if (kind === Token.statement || kind === Token.word) {
    const wait = waitAt(query, at);
    return wait.score > 0 ? wait : nameAt(query, at);
  }
  if (kind === Token.case) return caseAt(query, at);
  if (kind === Token.variable) return variableAt(query, at);
  if (kind === Token.text) return betweenQuotes(query, at);
  return nothing;
}

/** A value that begins with `union`: somebody who tries, or prose. */
function opening(sign: Sign): Sign {
  return sign.score > 7 ? { score: 7, why: sign.why } : sign;
}

/** `(SELECT …` after an operator or as an argument. */
function subqueryAt(query: Query, at: number): Sign {
  const { kinds } = query.tokens;
  if (kinds[at - 1] !== Token.open) return nothing;
  let outer = at - 2;
  while (kinds[outer] === Token.open) outer -= 1;
  const before = kinds[outer];
  const selected = operandAt(query.tokens, at + 1);
  const isQuery = selected.kind !== Operand.none || query.tokens.words[at + 1] === '*';
  if (!isQuery) return nothing;
  const isProse = selected.kind === Operand.word && kinds[selected.next] === Token.word;
  if (isProse) return nothing;
  if (isOperator(before)) return { score: query.isStatement ? 4 : 8, why: 'a query after an operator' };
  if (query.isStatement) return nothing;
  return { score: query.breaksOut ? 6 : 5, why: 'a query in parentheses' };
}

/** `ORDER BY 3`, `GROUP BY x HAVING 1=1`: how many columns there are. */
function orderAt(query: Query, at: number): Sign {
  const { kinds } = query.tokens;
  if (query.isStatement || at === 0) return nothing;
  const isHaving = kinds[at] === Token.having;
  if (!isHaving && kinds[at + 1] !== Token.by) return nothing;
  const operand = operandAt(query.tokens, isHaving ? at + 1 : at + 2);
  if (operand.kind === Operand.none) return nothing;
  const ends =
    endsAt(query, operand.next) ||
    kinds[operand.next] === Token.comma ||
    kinds[operand.next] === Token.having;
  const isNumber = operand.kind === Operand.literal;
  if (isHaving) {
    const isCondition = isNumber && kinds[operand.next] === Token.compare;
    return { score: isCondition ? 7 : query.breaksOut && ends ? 5 : 0, why: 'having' };
  }
  if (query.breaksOut && ends) return { score: isNumber ? 7 : 5, why: 'order by after a quote' };
  const isClear = kinds[at - 1] === Token.number && at === 1;
  return isNumber && ends
    ? { score: isClear || kinds[operand.next] === Token.comment ? 6 : 4, why: 'order by a number' }
    : nothing;
}

/** `WAITFOR DELAY '0:0:5'`, `PROCEDURE ANALYSE(`. */
function waitAt({ tokens }: Query, at: number): Sign {
  const name = tokens.words[at]!;
  const next = tokens.words[at + 1] ?? '';
  if (name === 'waitfor' && (next === 'delay' || next === 'time') && tokens.kinds[at + 2] === Token.text)
    return { score: 8, why: 'waitfor delay' };
  if (name === 'analyse' && next === '(') return { score: 6, why: 'procedure analyse' };
  return nothing;
}

function caseAt(query: Query, at: number): Sign {
  const { kinds } = query.tokens;
  if (kinds[at + 1] !== Token.when && kinds[at + 2] !== Token.when) return nothing;
  if (at > 0 && (isOperator(kinds[at - 1]) || kinds[at - 1] === Token.open))
    return { score: query.isStatement ? 4 : 7, why: 'case when after an operator' };
  // A query for nothing but a case: no report is written so.
  return kinds[at - 1] === Token.select && at === 1 ? { score: 5, why: 'select case when' } : nothing;
}

function variableAt({ tokens, breaksOut }: Query, at: number): Sign {
  if (!tokens.words[at]!.startsWith('@@') || tokens.words[at]!.length < 5) return nothing;
  const before = tokens.kinds[at - 1];
  if (before === Token.select) return { score: 6, why: 'a variable of the server' };
  return isOperator(before) && breaksOut ? { score: 7, why: 'a variable of the server' } : nothing;
}

/** `'||'`, `'+'`: a text that is joined where a quote was ended, and goes on in the query around. */
function betweenQuotes(query: Query, at: number): Sign {
  const { count, kinds, isOpen, words, starts } = query.tokens;
  if (!query.breaksOut || at !== 0) return nothing;
  if (!isOperator(kinds[1]) || words[1] === '' || kinds[2] !== Token.text || count !== 3 || !isOpen)
    return nothing;
  if (kinds[1] === Token.compare && words[1] === ':') return nothing;
  return { score: starts[2]! > starts[1]! ? 5 : 0, why: 'an operator between quotes' };
}

/** A whole statement: no attack by itself, but nothing that visitors send either. */
function statement(query: Query): Sign {
  const { count, kinds, words } = query.tokens;
  let hasFrom = false;
  for (let at = 1; at < count && at < 200; at++)
    if (kinds[at] === Token.from || kinds[at] === Token.into) hasFrom = true;
  const name = words[0]!;
  if (kinds[0] === Token.select) {
    const isList =
      words[1] === '*' || operandAt(query.tokens, 1).kind !== Operand.none || kinds[1] === Token.all;
    return hasFrom && isList ? { score: 4, why: 'a whole query' } : nothing;
  }
  const follower = words[1]!;
  const isOne =
    ((name === 'insert' || name === 'replace' || name === 'merge') && follower === 'into') ||
    (name === 'delete' && follower === 'from') ||
    (name === 'update' && words[2] === 'set') ||
    ((name === 'drop' || name === 'truncate') && (follower === 'table' || follower === 'database'));
  return isOne ? { score: 4, why: `a whole statement: ${name}` } : nothing;
}

/** `admin'-- `: what the quote ends is followed by a comment and nothing else. */
function cutOff({ tokens }: Query, text: string, from: number): Sign {
  if (tokens.kinds[1] !== Token.comment || tokens.count !== 2) return nothing;
  const mark = tokens.words[1]!;
  const start = tokens.starts[1]!;
  const rest = skip(text, start + mark.length, blank);
  const isClean = rest >= text.length || byteAt(text, rest) === 45;
  if (mark === '--')
    return rest > start + 2 || isClean ? { score: isClean ? 6 : 4, why: 'a quote and a comment' } : nothing;
  if (!isClean) return nothing;
  return { score: mark === '#' && from <= 1 ? 4 : 5, why: 'a quote and a comment' };
}
