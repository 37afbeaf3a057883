import { eachSecret, isGiven, setName, type SecretPlaces } from '@breakwater/contract';
import type { DiffEntry, JsonValue } from '@breakwater/contract/json-diff';
import { isSealed, type Secrets } from './secrets.ts';

/**
 * Secrets inside a value, where its schema in the contract says that they are (`secretPlaces`). They are sealed as they come
 * in and opened on their way to nodes; in between, in memory and in tables, they are sealed.
 */

const secretMark = '••••••';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that was sent, with its secrets sealed. */
export const sealValue = <Value>(value: Value, places: SecretPlaces, { encrypt }: Secrets): Value =>
  changeSecrets(value, places, encrypt);

/** As nodes need it. */
export const openValue = <Value>(value: Value, places: SecretPlaces, { decrypt }: Secrets): Value =>
  changeSecrets(value, places, decrypt);

function changeSecrets<Value>(value: Value, places: SecretPlaces, change: (secret: string) => string): Value {
  return eachSecret(value, places, (holder, name) => {
    if (isGiven(holder[name])) holder[name] = change(holder[name]);
  });
}

export function holdsSecrets(value: unknown, places: SecretPlaces): boolean {
  let found = false;
  eachSecret(value, places, (holder, name) => {
    found ||= isGiven(holder[name]);
  });
  return found;
}

/** Throws where a secret would be stored in clear. */
export function assertSealed(value: unknown, places: SecretPlaces): void {
  eachSecret(value, places, (holder, name, path) => {
    if (isGiven(holder[name]) && !isSealed(holder[name])) throw new Error(`${path} would be stored in clear`);
  });
}

/** The value without its secrets and without a word of them; the paths of those that were there are added to `leftOut`. */
export function withoutSecrets<Value>(
  value: Value,
  places: SecretPlaces,
  leftOut: string[] = [],
  path = '',
): Value {
  const visit = (holder: Record<string, unknown>, name: string, at: string) => {
    if (isGiven(holder[name])) leftOut.push(at);
    delete holder[name];
    delete holder[setName(name)];
  };
  return eachSecret(value, places, visit, path === '' ? '' : `${path}.`);
}

/** What changed, without saying what a secret was or is. */
export function maskDiff(entries: readonly DiffEntry[], places: SecretPlaces): DiffEntry[] {
  return entries.map((entry) => {
    const { path, before, after, of } = entry;
    const here = placesAt(path, places);
    // The items stand where the path has their numbers.
    const numbers = [...path.matchAll(/\.\d+(?=\.|$)/g)].map(({ index }) => path.slice(0, index));
    const mask = (value: JsonValue): JsonValue =>
      here === true ? maskAll(value) : changeSecrets(value, here, () => secretMark);
    const maskItem = (item: JsonValue, index: number): JsonValue => {
      const at = placesAt(numbers[index] ?? path, places);
      return at === true ? maskAll(item) : changeSecrets(item, at, () => secretMark);
    };
    return {
      ...entry,
      ...(before === undefined ? {} : { before: mask(before) }),
      ...(after === undefined ? {} : { after: mask(after) }),
      ...(of === undefined ? {} : { of: of.map(maskItem) }),
    };
  });
}

/** Where secrets are below a dotted path; `true` within one. */
function placesAt(path: string, places: SecretPlaces): SecretPlaces | true {
  const fields = path.split('.').filter((part) => !/^\d*$/.test(part));
  return fields.reduce<SecretPlaces | true>(
    (at, field) => (at === true ? at : Object.hasOwn(at, field) ? at[field]! : {}),
    places,
  );
}

const maskAll = (value: JsonValue): JsonValue => (value === null || value === '' ? value : secretMark);

/**
 * A value that was sent, after `sealValue`, with the secrets of what stood there before where it has none of its own, unless
 * it says that one is to go (`NAME_set: false`). An item of a list has those of the item with its id or its name; one with
 * neither has none but its own.
 */
export function keepSecrets<Value>(value: Value, before: unknown, places: SecretPlaces): Value {
  return merge(value, before, places, namesake) as Value;
}

/** The secrets of a value, put back into what was made of it without them. */
export function putBack<Value>(value: Value, from: unknown, places: SecretPlaces): Value {
  return merge(value, from, places, (_item, others, index) => others[index]) as Value;
}

type Match = (item: unknown, others: readonly unknown[], index: number) => unknown;

function merge(value: unknown, before: unknown, places: SecretPlaces, match: Match): unknown {
  if (Array.isArray(value)) {
    const others = Array.isArray(before) ? before : [];
    return value.map((item, index) => merge(item, match(item, others, index), places, match));
  }
  if (!isObject(value)) return value;
  const former = isObject(before) ? before : {};
  const kept = { ...value };
  for (const [name, below] of Object.entries(places)) {
    if (below !== true) {
      if (Object.hasOwn(kept, name)) kept[name] = merge(kept[name], former[name], below, match);
      continue;
    }
    const isWanted = kept[setName(name)] !== false;
    delete kept[setName(name)];
    if (isGiven(kept[name])) continue;
    if (isWanted && isGiven(former[name])) kept[name] = former[name];
    else delete kept[name];
  }
  return kept;
}

/** The item of the same id or name, wherever it stood. */
const namesake: Match = (item, others) => {
  if (!isObject(item)) return undefined;
  const identity = ['id', 'name'].find((field) => item[field] !== undefined);
  if (identity === undefined) return undefined;
  return others.find((each) => isObject(each) && each[identity] === item[identity]);
};
