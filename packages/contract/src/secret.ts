import * as z from 'zod';
import type { RouteSpec } from './define.ts';

const secrets = z.registry<{ secret: true }>();

/** Marks what must not be shown to whoever reads of a call later: passwords, keys, tokens. */
export function secret<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  secrets.add(schema, { secret: true });
  return schema;
}

/**
 * A secret that is stored with what it stands in, as two fields. It can be written and is never read back: an answer has
 * `NAME_set` in its place (`shown`). A write without it, or with an empty one, keeps what is stored; `NAME_set: false` with
 * it takes that away.
 */
export function secretField<const Name extends string, Schema extends z.ZodType<string>>(
  name: Name,
  schema: Schema,
): { [Key in Name]: z.ZodOptional<Schema> } & { [Key in `${Name}_set`]: z.ZodOptional<z.ZodBoolean> } {
  const fields = { [name]: secret(schema).optional(), [setName(name)]: z.boolean().optional() };
  return fields as ReturnType<typeof secretField<Name, Schema>>;
}

export const setName = <Name extends string>(name: Name): `${Name}_set` => `${name}_set`;

/** The fields on the way to secrets, `true` at one. Lists are passed through: an item has the places of its list. */
export interface SecretPlaces {
  readonly [field: string]: SecretPlaces | true;
}

const placesOf = new WeakMap<z.core.$ZodType, SecretPlaces>();

/** Where values of a schema hold secrets. */
export function secretPlaces(schema: z.core.$ZodType): SecretPlaces {
  const known = placesOf.get(schema);
  if (known) return known;
  // Of a schema that holds itself nothing more is found by going round.
  placesOf.set(schema, {});
  const places: Record<string, SecretPlaces | true> = {};
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object')
    for (const [name, field] of Object.entries(def.shape)) {
      const below = isSecret(field) ? true : secretPlaces(field);
      if (below === true || Object.keys(below).length > 0) places[name] = below;
    }
  else
    for (const part of partsOf(schema))
      for (const [name, below] of Object.entries(secretPlaces(part))) {
        const beside = places[name];
        places[name] = typeof beside === 'object' && below !== true ? { ...beside, ...below } : below;
      }
  placesOf.set(schema, places);
  return places;
}

type Fields = Record<string, unknown>;

/** A copy of the value in which `visit` has changed, for each place of a secret, the object that has it. */
export function eachSecret<Value>(
  value: Value,
  places: SecretPlaces,
  visit: (holder: Fields, name: string, path: string) => void,
  path = '',
): Value {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => eachSecret(item, places, visit, `${path}${index}.`)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Fields = { ...(value as Fields) };
  for (const [name, below] of Object.entries(places))
    if (below === true) visit(copy, name, path + name);
    else if (Object.hasOwn(copy, name)) copy[name] = eachSecret(copy[name], below, visit, `${path}${name}.`);
  return copy as Value;
}

export const isGiven = (text: unknown): text is string => typeof text === 'string' && text !== '';

/** The value as an answer has it: in place of a secret, whether there is one. */
export function hideSecrets<Value>(schema: z.core.$ZodType, value: Value): Shown<Value> {
  return eachSecret(value, secretPlaces(schema), (holder, name) => {
    holder[setName(name)] = isGiven(holder[name]);
    delete holder[name];
  }) as Shown<Value>;
}

/** A value without the secrets of its fields: without each that has a `NAME_set` beside it. */
export type Shown<Value> = Value extends readonly (infer Item)[]
  ? Shown<Item>[]
  : Value extends object
    ? {
        [
          Name in keyof Value as string extends Name
            ? Name
            : `${Name & string}_set` extends keyof Value
              ? never
              : Name
        ]: Shown<Value[Name]>;
      }
    : Value;

/** The schema of values as answers have them. */
export function shown<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<Shown<z.output<Schema>>, Shown<z.input<Schema>>> {
  return shownSchema(schema) as unknown as ReturnType<typeof shown<Schema>>;
}

function shownSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (Object.keys(secretPlaces(schema)).length === 0) return schema;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const { shape } = def;
      const fields = Object.entries(shape).flatMap(([name, field]): [string, z.core.$ZodType][] => {
        if (isSecret(field)) return [];
        const isMark = name.endsWith('_set') && isSecret(shape[name.slice(0, -4)]);
        return [[name, isMark ? z.boolean().default(false) : shownSchema(field)]];
      });
      return z.strictObject(Object.fromEntries(fields));
    }
    case 'array':
      return z.array(shownSchema(def.element));
    case 'optional':
      return z.optional(shownSchema(def.innerType));
    case 'nullable':
      return z.nullable(shownSchema(def.innerType));
    case 'default':
      return z._default(shownSchema(def.innerType), def.defaultValue);
    case 'prefault':
      return z.prefault(shownSchema(def.innerType), def.defaultValue);
    default:
      throw new Error(`a secret inside of a schema of the type ${def.type} has no answer`);
  }
}

export interface FieldNames {
  /** Of every field that is taken or answered. */
  known: ReadonlySet<string>;
  /** Of those that hold a secret. */
  secret: ReadonlySet<string>;
}

/** The names of all fields of these routes, at any depth. */
export function fieldNamesOf(routes: Iterable<RouteSpec>): FieldNames {
  const names = { known: new Set<string>(), secret: new Set<string>() };
  const seen = new Set<z.core.$ZodType>();
  for (const { params, query, body, response } of routes)
    for (const schema of [params, query, body, response]) if (schema) collect(schema, names, seen);
  return names;
}

function collect(
  schema: z.core.$ZodType,
  names: { known: Set<string>; secret: Set<string> },
  seen: Set<z.core.$ZodType>,
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object')
    for (const [name, field] of Object.entries(def.shape)) {
      names.known.add(name);
      if (isSecret(field)) names.secret.add(name);
    }
  if (def.type === 'record' && def.keyType._zod.def.type === 'enum')
    for (const name of def.keyType._zod.values ?? []) names.known.add(String(name));
  for (const part of partsOf(schema)) collect(part, names, seen);
}

/** Whether it is marked, or what it wraps is. */
function isSecret(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined) return false;
  if (secrets.has(schema)) return true;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return 'innerType' in def ? isSecret(def.innerType) : def.type === 'pipe' && isSecret(def.in);
}

/** The schemas that a schema is made of. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.values(def.shape);
    case 'array':
      return [def.element];
    case 'union':
      return [...def.options];
    case 'record':
      return [def.valueType];
    case 'tuple':
      return [...def.items];
    case 'pipe':
      return [def.in, def.out];
    case 'intersection':
      return [def.left, def.right];
    case 'lazy':
      return [def.getter()];
    default:
      return 'innerType' in def ? [def.innerType] : [];
  }
}
