import * as z from 'zod';
import { hostileJson, type Expected } from './hostile-values.ts';

/** A change of one place in an input; `base` is the valid one, which is left as it is. */
type Change = (base: unknown) => unknown;
export interface Edit {
  /** Dotted, as in answers: `value.origins.0.address`. */
  path: string;
  change: Change;
}
/** Values for a field by its name, where its schema does not say enough: the first that it takes is taken. */
export type Values = (name: string) => unknown[];

type Schema = z.core.$ZodTypes;
const asKnown = (schema: z.core.$ZodType): Schema => schema as Schema;

/** What stands behind optional, default, pipe and the like: what a caller writes. */
function written(schema: z.core.$ZodType): Schema {
  const { def } = asKnown(schema)._zod;
  if ('innerType' in def) return written(def.innerType);
  if (def.type === 'pipe') {
    const before = written(def.in);
    return before._zod.def.type === 'transform' ? written(def.out) : before;
  }
  if (def.type === 'lazy') return written(def.getter());
  return asKnown(schema);
}

export function isRequired(schema: z.core.$ZodType): boolean {
  return schema._zod.optin === undefined;
}

/** An input that a schema takes, of the required fields only, as far as it and the hints tell. */
export function exampleOf(schema: z.core.$ZodType, values: Values, name = ''): unknown {
  const known = values(name).find((value) => z.safeParse(schema, value).success);
  if (known !== undefined) return known;
  const { def } = written(schema)._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, field]) => isRequired(field))
          .map(([key, field]) => [key, exampleOf(field, values, key)]),
      );
    case 'array':
      return [exampleOf(def.element, values, name)];
    case 'union':
      return exampleOf(def.options[0]!, values, name);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'record':
      return {};
    case 'boolean':
      return false;
    case 'number':
      return 1;
    case 'string':
      return exampleText(schema);
    default:
      return 'x';
  }
}

const exampleTexts = [
  'x',
  'a text',
  '/x',
  'x1234567890',
  '192.0.2.1',
  'a.example.com',
  'http://127.0.0.1:9/',
  '0'.repeat(32),
];
const exampleText = (schema: z.core.$ZodType): string =>
  [...exampleTexts, new Date().toISOString()].find((text) => z.safeParse(schema, text).success) ?? 'x';

export function expectedOf(schema: z.core.$ZodType): Expected {
  const { def } = written(schema)._zod;
  if (def.type === 'number') return 'number';
  if (def.type !== 'string') return 'other';
  return 'format' in def && def.format === 'datetime' ? 'time' : 'text';
}

/** Every place of a schema with everything that does not belong there, one at a time. */
export function* editsOf(
  schema: z.core.$ZodType,
  values: Values,
  path: readonly string[] = [],
): Generator<Edit> {
  const { def } = written(schema)._zod;
  const here = (value: unknown): Edit => ({ path: path.join('.'), change: () => value });
  const name = path.findLast((key) => !/^\d+$/.test(key)) ?? '';
  if (def.type === 'object') {
    for (const [key, field] of Object.entries(def.shape))
      for (const { path: at, change } of editsOf(field, values, [...path, key]))
        yield {
          path: at,
          change: (base) => ({ ...asObject(base), [key]: change(fieldOf(base, key, field, values)) }),
        };
    yield { path: path.join('.'), change: (base) => ({ ...asObject(base), '\ud800': 1, constructor: 1 }) };
  } else if (def.type === 'array') {
    const item = exampleOf(def.element, values, name);
    for (const { path: at, change } of editsOf(def.element, values, [...path, '0']))
      yield { path: at, change: (base) => [change(Array.isArray(base) && base.length > 0 ? base[0] : item)] };
    yield here([]);
    yield here(Array.from({ length: 3000 }, () => item));
  } else if (def.type === 'union') {
    for (const option of def.options)
      for (const { path: at, change } of editsOf(option, values, path))
        yield {
          path: at,
          change: (base) =>
            change(z.safeParse(option, base).success ? base : exampleOf(option, values, name)),
        };
  } else if (def.type === 'record') {
    for (const key of ['__proto__', 'constructor', '', '\ud800', 'a\0b', 'x'.repeat(5000)])
      yield {
        path: path.join('.'),
        change: (base) => ({ ...asObject(base), [key]: exampleOf(def.valueType, values, name) }),
      };
    for (const { path: at, change } of editsOf(def.valueType, values, [...path, 'cache_rule']))
      yield { path: at, change: (base) => ({ ...asObject(base), cache_rule: change(undefined) }) };
  }
  for (const value of hostileJson(expectedOf(schema))) yield here(value);
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const fieldOf = (base: unknown, key: string, field: z.core.$ZodType, values: Values): unknown =>
  key in asObject(base) ? asObject(base)[key] : exampleOf(field, values, key);

/** The fields of params or a query: flat, and text all of them. */
export function fieldsOf(schema: z.core.$ZodType | undefined): [name: string, field: z.core.$ZodType][] {
  if (!schema) return [];
  const { def } = written(schema)._zod;
  return def.type === 'object' ? Object.entries(def.shape) : [];
}
