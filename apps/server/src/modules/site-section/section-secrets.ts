import type { DiffEntry, JsonValue } from '../../json-diff.ts';

/**
 * Secrets inside a value whose places are known. Diffs do not show them, exports leave them out, and a section that is
 * copied between customers loses them.
 */

/** The fields on the way to secrets, `true` at one. Lists are passed through: an item has the places of its list. */
export interface SecretPlaces {
  readonly [field: string]: SecretPlaces | true;
}
type Places = SecretPlaces | true | undefined;

/** Of paths such as `signing.secret` and `basic_auth.users.password`. */
export function secretPlaces(paths: readonly string[]): SecretPlaces {
  const places: Record<string, SecretPlaces | true> = {};
  for (const field of new Set(paths.map((path) => path.split('.', 1)[0]!))) {
    const below = paths.filter((path) => path.startsWith(`${field}.`));
    places[field] = below.length === 0 || secretPlaces(below.map((path) => path.slice(field.length + 1)));
  }
  return places;
}

const secretMark = '••••••';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const placesAt = (places: Places, field: string): Places =>
  typeof places === 'object' && Object.hasOwn(places, field) ? places[field] : undefined;

/** The value with each of its secrets, none of them empty, as `change` gives it. */
export function changeSecrets<Value>(
  value: Value,
  places: SecretPlaces,
  change: (secret: string) => string,
): Value {
  const walk = (item: unknown, here: Places): unknown => {
    if (here === undefined) return item;
    if (typeof item === 'string') return here === true && item !== '' ? change(item) : item;
    if (Array.isArray(item)) return item.map((each) => walk(each, here));
    if (!isObject(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([name, each]) => [name, walk(each, placesAt(here, name))]),
    );
  };
  return walk(value, places) as Value;
}

/** What changed, without saying what a secret was or is. */
export function maskDiff(entries: readonly DiffEntry[], places: SecretPlaces): DiffEntry[] {
  return entries.map(({ path, before, after }) => {
    const fields = path.split('.').filter((part) => !/^\d*$/.test(part));
    const here = fields.reduce<Places>(placesAt, places);
    const mask = (value: JsonValue): JsonValue =>
      here === undefined ? value : changeSecrets({ value }, { value: here }, () => secretMark).value;
    return {
      path,
      ...(before === undefined ? {} : { before: mask(before) }),
      ...(after === undefined ? {} : { after: mask(after) }),
    };
  });
}

/** The value without its secrets; their paths are added to `leftOut`. */
export function withoutSecrets(value: unknown, places: Places, leftOut: string[] = [], path = ''): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutSecrets(item, places, leftOut, `${path}.${index}`));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const here = placesAt(places, name);
    if (typeof item !== 'string' || here !== true) return [[name, withoutSecrets(item, here, leftOut, at)]];
    if (item !== '') leftOut.push(at);
    return [];
  });
  return Object.fromEntries(kept) as unknown;
}

/** The value with the secrets of what stood there before, where it has none of its own. */
export function keepSecrets(value: unknown, before: unknown, places: Places): unknown {
  if (Array.isArray(value) && Array.isArray(before))
    return value.map((item, index) => keepSecrets(item, sameBefore(item, before, index), places));
  if (!isObject(value) || !isObject(before)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value))
    kept[name] = keepSecrets(item, before[name], placesAt(places, name));
  for (const [name, item] of Object.entries(before))
    if (placesAt(places, name) === true && typeof item === 'string' && !(name in kept)) kept[name] = item;
  return kept;
}

/** Of items with names the one of that name, wherever it stood. */
function sameBefore(item: unknown, before: readonly unknown[], index: number): unknown {
  if (!isObject(item) || typeof item['name'] !== 'string') return before[index];
  return before.find((each) => isObject(each) && each['name'] === item['name']);
}
