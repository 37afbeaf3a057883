import { parseDigits, trimOws } from '../lib/text.ts';

/** More than any browser sends; what a visitor makes up costs no more. */
const itemsMax = 20;

/**
 * The language on offer that `Accept-Language` prefers (RFC 9110 §12.5.4), as it is written in the offer; empty where none of them is wanted. A range
 * stands for itself, for what is more exact (`en` for `en-GB`), and last for what is less (RFC 4647 §3.4: `zh-Hant-TW` for `zh`).
 */
export function preferredLanguage(field: string, offered: readonly string[]): string {
  const ranges: string[] = [];
  const weights: number[] = [];
  const refused: Record<string, boolean> = {};
  for (const item of field.split(',')) {
    if (ranges.length >= itemsMax) break;
    const parts = item.split(';');
    const range = trimOws(parts[0]!).toLowerCase();
    const weight = weightOf(parts);
    if (weight === 0) refused[range] = true;
    ranges.push(range);
    weights.push(weight);
  }
  let best = '';
  let bestWeight = 0;
  for (let index = 0; index < ranges.length; index++) {
    if (weights[index]! <= bestWeight) continue;
    const found = lookUp(ranges[index]!, offered, refused);
    if (found === undefined) continue;
    best = found;
    bestWeight = weights[index]!;
  }
  return best;
}

function lookUp(
  range: string,
  offered: readonly string[],
  refused: Record<string, boolean>,
): string | undefined {
  let tag = range;
  while (tag !== '') {
    for (const each of offered) {
      const language = each.toLowerCase();
      const fits = tag === '*' || language === tag || language.startsWith(`${tag}-`);
      if (fits && refused[language] !== true) return each;
    }
    tag = withoutLast(tag);
  }
  return undefined;
}

/** Without its last subtag, and without a single letter before that, which says nothing by itself. */
function withoutLast(tag: string): string {
  const subtags = tag.split('-');
  let length = subtags.length - 1;
  if (length > 1 && subtags[length - 1]!.length === 1) length -= 1;
  const kept: string[] = [];
  for (let index = 0; index < length; index++) kept.push(subtags[index]!);
  return kept.join('-');
}

/** In thousandths (RFC 9110 §12.4.2); what is no weight says nothing. */
function weightOf(parts: string[]): number {
  for (let index = 1; index < parts.length; index++) {
    const text = trimOws(parts[index]!).toLowerCase();
    if (!text.startsWith('q=')) continue;
    const [whole, fraction] = text.substring(2).split('.');
    const thousandths = parseDigits(`${fraction ?? ''}000`.substring(0, 3));
    const ones = parseDigits(whole ?? '');
    if (ones === undefined || thousandths === undefined) return 1000;
    return ones > 0 ? 1000 : thousandths;
  }
  return 1000;
}
