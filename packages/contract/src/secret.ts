import * as z from 'zod';
import type { RouteSpec } from './define.ts';

const secrets = z.registry<{ secret: true }>();

/** Marks what must not be shown to whoever reads of a call later: passwords, keys, tokens. */
export function secret<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  secrets.add(schema, { secret: true });
  return schema;
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
function isSecret(schema: z.core.$ZodType): boolean {
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
