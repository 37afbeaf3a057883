import { isRecord, isSame, itemKey, placesOf } from './list-items.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** One changed value, by its dotted path. A side is absent where the value did not exist. */
export interface DiffEntry {
  path: string;
  before?: JsonValue | undefined;
  after?: JsonValue | undefined;
  /** Of an item of a list that was moved: its place before, from 0; the path has the one now. */
  from?: number | undefined;
  /** What names the items of lists that the value stands in, the outermost first. */
  of?: JsonValue[] | undefined;
}

/**
 * What changed between two values of JSON. Items of lists are compared with themselves wherever they stand now: one is added,
 * removed, moved or changed. The path of one that is gone has its place before. Conditions are compared as a whole.
 */
export function diffJson(before: unknown, after: unknown, path = '', of: JsonValue[] = []): DiffEntry[] {
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path, of);
  if (isRecord(before) && isRecord(after) && !isWhole(path)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(before[key], after[key], below(path, key), of));
  }
  return isSame(before, after) ? [] : [entryOf(path, before, after, of)];
}

const isWhole = (path: string): boolean => /(?:^|[._])condition$/.test(path);

const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

function entryOf(path: string, before: unknown, after: unknown, of: JsonValue[]): DiffEntry {
  const entry: DiffEntry = { path };
  if (before !== undefined) entry.before = before as JsonValue;
  if (after !== undefined) entry.after = after as JsonValue;
  if (of.length > 0) entry.of = of;
  return entry;
}

function diffLists(before: unknown[], after: unknown[], path: string, of: JsonValue[]): DiffEntry[] {
  const key = itemKey([before, after]);
  const places = placesOf(before, after, key);
  if (key !== 'id' && key !== 'name') pairAlike(before, after, places);
  const stay = inOrder(places);
  const found = new Map(places.map((place, index) => [place, index]));
  const gone = before.flatMap((item, index) =>
    places[index] === -1 ? [entryOf(below(path, index), item, undefined, of)] : [],
  );
  const rest = after.flatMap((item, place) => {
    const at = below(path, place);
    const index = found.get(place);
    if (index === undefined) return [entryOf(at, undefined, item, of)];
    const inside = isRecord(item) ? [...of, brief(item)] : of;
    const moved = stay.has(place) ? [] : [{ ...entryOf(at, undefined, undefined, inside), from: index }];
    // Of a plain value nothing else says which one it is.
    if (!isRecord(item) && moved.length > 0) return [{ ...moved[0]!, after: item as JsonValue }];
    return [...moved, ...diffJson(before[index], item, at, inside)];
  });
  return [...gone, ...rest];
}

/** Items that are left on both sides between the same neighbours: the most alike are one that was edited. */
function pairAlike(before: unknown[], after: unknown[], places: number[]): void {
  const taken = new Set(places);
  before.forEach((item, index) => {
    if (places[index]! >= 0 || !isRecord(item)) return;
    const previous = places.slice(0, index).findLast((place) => place >= 0) ?? -1;
    const next = places.slice(index + 1).find((place) => place >= 0) ?? after.length;
    let [best, most] = [-1, 0.5];
    for (let place = previous + 1; place < next; place += 1) {
      const share = taken.has(place) ? 0 : likeness(item, after[place]);
      if (share > most) [best, most] = [place, share];
    }
    places[index] = best;
    taken.add(best);
  });
}

/** The share of its fields that say the same. */
function likeness(one: Record<string, unknown>, other: unknown): number {
  if (!isRecord(other)) return 0;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => isSame(one[name], other[name])).length / names.length;
}

/** The places of the longest run of items that kept their order; all others were moved. */
function inOrder(places: readonly number[]): Set<number> {
  const kept = places.filter((place) => place >= 0);
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const place of kept) {
    const length = countUpTo(ends, place);
    previous.set(place, ends[length - 1]);
    ends[length] = place;
  }
  const run = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = previous.get(place)) run.add(place);
  return run;
}

/** How many of them, which grow, are not above it. */
function countUpTo(ends: readonly number[], place: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ends[middle]! > place) to = middle;
    else from = middle + 1;
  }
  return from;
}

const briefTextMax = 100;
const briefListMax = 4;

/** As much of an item as names it: short texts and the first of its plain lists. What is empty names nothing. */
function brief(item: Record<string, unknown>): JsonValue {
  const plain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || isShort(value);
  const fields = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (plain(value)) return [[name, value]];
    const list = Array.isArray(value) ? value.filter(plain).slice(0, briefListMax) : [];
    return list.length > 0 ? [[name, list]] : [];
  });
  return Object.fromEntries(fields) as JsonValue;
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= briefTextMax;
