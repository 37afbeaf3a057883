/**
 * Names within sentences (Unicode Standard Annex 9, §2.4.2): what is written from right to left, or turns the direction, must not move the
 * words around it.
 */

const firstStrong = '\u2068';
const pop = '\u2069';
/** Letters of scripts that are written from right to left, and signs that turn the direction. */
const turns =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const signs = /[\u2066-\u2069]/g;

/** The text so that nothing in it reaches beyond it: what it opens is closed, and what it did not open it does not close. */
export function isolate(text: string): string {
  if (!turns.test(text)) return text;
  let open = 0;
  const balanced = text.replace(signs, (sign) => {
    if (sign !== pop) open += 1;
    else if (open === 0) return '';
    else open -= 1;
    return sign;
  });
  return firstStrong + balanced + pop.repeat(open + 1);
}

const isolateIn = (value: unknown): unknown => {
  if (typeof value === 'string') return isolate(value);
  return Array.isArray(value) ? value.map(isolateIn) : value;
};

type Sentence = (...values: never[]) => string;
/** Texts are made of texts: a sentence that isolates its values already does it once. */
const isolating = new WeakSet<Sentence>();

/** A sentence whose values are isolated, each and those of a list. */
export function isolatingSentence(sentence: Sentence): Sentence {
  if (isolating.has(sentence)) return sentence;
  const made: Sentence = (...values) => sentence(...(values.map(isolateIn) as never[]));
  isolating.add(made);
  return made;
}
