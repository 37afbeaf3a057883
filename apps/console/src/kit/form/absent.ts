import type * as z from 'zod';

type Fields = Record<string, unknown>;

/**
 * A copy of the value in which every field that its schema has and the value lacks is there, as `undefined`. A form library
 * takes a field that is shown and missing in what it began with for a change, which discarding would not end.
 */
export function withAbsent<Value>(schema: z.core.$ZodType, value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape).map(([name, field]) => [
        name,
        withAbsent(field, (value as Fields)[name]),
      ]);
      return { ...value, ...Object.fromEntries(shape) } as Value;
    }
    case 'array':
      return (value as unknown as unknown[]).map((item) => withAbsent(def.element, item)) as Value;
    case 'union': {
      const option = def.options.find((each) => isOf(each, value as Fields));
      return option ? withAbsent(option, value) : value;
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return withAbsent(def.innerType, value);
    case 'pipe':
      return withAbsent(def.in, value);
    case 'lazy':
      return withAbsent(def.getter(), value);
    default:
      return value;
  }
}

/** Whether an object is of this kind of a choice: each of the kind's fixed values is the object's. */
function isOf(schema: z.core.$ZodType, value: Fields): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'object') return false;
  const fixed = Object.entries(def.shape).flatMap(([name, field]) => {
    const { def: of } = (field as z.core.$ZodTypes)._zod;
    return of.type === 'literal' ? [of.values.includes(value[name] as never)] : [];
  });
  return fixed.length > 0 && fixed.every(Boolean);
}
