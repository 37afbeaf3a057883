import { get } from 'react-hook-form';
import type * as z from 'zod';
import type { Shown } from './shown.ts';

/** Fields that are left out of what is checked and saved. */
export interface Left {
  paths: readonly string[];
  /** What the form began with. */
  defaults: unknown;
}

/**
 * The values without what is wrong in fields that another's value hides: nobody could see it, and it says nothing. What was there
 * before takes its place, or nothing; of what cannot be without it, such as a row of a list that is hidden, the whole is left out. The
 * values themselves stay as they are, and are there again with their fields.
 */
export function leaveOut<Values>(
  schema: z.ZodType,
  values: Values,
  { paths, defaults }: Left,
  shown: Shown,
): Values {
  return paths
    .filter((path) => shown.hides(path))
    .reduce((before, path) => without(schema, before, path, defaults, shown), values);
}

function without<Values>(
  schema: z.ZodType,
  values: Values,
  path: string,
  defaults: unknown,
  shown: Shown,
): Values {
  const keys = path.split('.');
  for (let length = keys.length; length > 0; length -= 1) {
    const place = keys.slice(0, length);
    if (shown.has(place.join('.'))) break;
    for (const value of substitutes(place, defaults)) {
      const tried = put(values, place, value) as Values;
      if (!isWrong(schema, tried, place)) return tried;
    }
  }
  // Nothing fits: it is told instead.
  return values;
}

/** In a list another row may stand where this one stood, so that what was there before comes last. */
function substitutes(place: readonly string[], defaults: unknown): unknown[] {
  const before: unknown = get(defaults, place.join('.'));
  const empty = [undefined, '', [], null];
  return place.some((key) => /^\d+$/.test(key)) ? [...empty, before] : [before, ...empty];
}

function isWrong(schema: z.ZodType, values: unknown, place: readonly string[]): boolean {
  const { error } = schema.safeParse(values);
  return error?.issues.some(({ path }) => place.every((key, index) => String(path[index]) === key)) ?? false;
}

function put(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) };
  return Object.assign(copy, { [key]: put((copy as Record<string, unknown>)[key], rest, part) });
}
