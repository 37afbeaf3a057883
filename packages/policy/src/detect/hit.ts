import type { Hit } from './types.ts';

/** The one with the higher score, the left of two alike. In Lua a list ends at what is absent, so hits are compared one by one. */
export function stronger(left: Hit | undefined, right: Hit | undefined): Hit | undefined {
  if (left === undefined) return right;
  return right !== undefined && right.score > left.score ? right : left;
}

/** The first of several texts that occurs, as a hit. */
export function firstOf(text: string, needles: string[], score: number, why: string): Hit | undefined {
  for (const needle of needles) {
    const at = text.indexOf(needle);
    if (at >= 0) return { score, offset: at, why: `${why}: ${needle}` };
  }
  return undefined;
}
