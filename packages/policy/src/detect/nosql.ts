import { byteAt, isKind, letter, numberOf, skip, tableOf } from './bytes.ts';
import { byteBits } from './marks.ts';
import { stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Operators of document databases; 6: what a visitor's own value cannot be. */
const operators: Record<string, number> = {};
tableOf(7, 'where function accumulator', operators);
tableOf(6, 'ne gt gte lt lte nin regex exists expr nor not elemmatch jsonschema', operators);
tableOf(5, 'eq in or and all size type mod options', operators);

export const nosql: Detector = {
  name: 'nosql',
  group: 'nosql',
  mayFind: ({ bytes }) =>
    (bytes & byteBits.dollar) !== 0 || (bytes & byteBits.quote) !== 0 || (bytes & byteBits.brace) !== 0,
  find: findOperator,
};

function findOperator(subject: Subject): Hit | undefined {
  const { part, text, lower } = subject;
  let best: Hit | undefined;
  let at = text.indexOf('$');
  for (let count = 0; at >= 0 && count < 40; count++) {
    best = stronger(best, operatorAt(subject, at, part.isName));
    at = text.indexOf('$', at + 1);
  }
  const script = lower.indexOf('this.');
  if (
    script > 0 &&
    (lower.indexOf('||') >= 0 || lower.indexOf('&&') >= 0) &&
    breaks(text) &&
    text.length < 300
  )
    best = stronger(best, { score: 6, offset: script, why: 'a condition on the document' });
  if (lower.indexOf('return true') >= 0 && breaks(text) && text.length < 200)
    best = stronger(best, { score: 6, offset: 0, why: 'a function that ends early' });
  const loose = lower.indexOf("=='");
  const twin = loose < 0 ? lower.indexOf('=="') : loose;
  if (twin >= 0 && breaks(text) && text.length < 120 && lower.indexOf('||') >= 0)
    best = stronger(best, { score: 6, offset: twin, why: 'a condition that always holds' });
  return best;
}

/** A quote ends something near the beginning. */
function breaks(text: string): boolean {
  const at = text.indexOf("'") >= 0 ? text.indexOf("'") : text.indexOf('"');
  return at >= 0 && at < 40;
}

/** `[$ne]` and `{"$ne": …}` in names; `{"$where": …}` in a value. */
function operatorAt({ text, lower, isPasted }: Subject, at: number, isName: boolean): Hit | undefined {
  const stop = skip(text, at + 1, letter);
  if (stop === at + 1 || isKind(byteAt(text, stop), letter)) return undefined;
  const name = lower.substring(at + 1, stop);
  const rank = numberOf(operators, name);
  if (rank === 0) return undefined;
  const before = byteAt(text, at - 1);
  const after = byteAt(text, stop);
  const why = `an operator of a document database: $${name}`;
  if (isName) {
    const isKey = at === 0 || before === 46 || (before === 91 && after === 93);
    return isKey ? { score: rank, offset: at, why } : undefined;
  }
  const isKey =
    (before === 34 || before === 39 || before === 123) && (after === 34 || after === 39 || after === 58);
  const colon = skip(text, after === 58 ? stop : stop + 1, 1);
  return isKey && byteAt(text, colon) === 58 && !isPasted
    ? { score: rank === 5 ? 4 : rank, offset: at, why }
    : undefined;
}
