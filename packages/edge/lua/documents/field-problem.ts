/** Which type each field has to have, by Lua's names. */
export type Fields = Record<string, string>;

/** The first field that is absent or of another type. */
export function fieldProblem(place: string, object: unknown, fields: Fields): string | undefined {
  if (type(object) !== 'table') return `${place} is no object`;
  const values = object as Record<string, unknown>;
  for (const name in fields)
    if (type(values[name]) !== fields[name]) return `${place}.${name} is no ${fields[name]}`;
  return undefined;
}

/** The first field that is there and of another type; all of it may be absent. */
export function optionalProblem(place: string, object: unknown, fields: Fields): string | undefined {
  if (object === undefined) return undefined;
  if (type(object) !== 'table') return `${place} is no object`;
  const values = object as Record<string, unknown>;
  for (const name in fields)
    if (values[name] !== undefined && type(values[name]) !== fields[name])
      return `${place}.${name} is no ${fields[name]}`;
  return undefined;
}
