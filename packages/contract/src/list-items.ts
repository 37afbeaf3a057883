/** How items of lists are told apart, and found again once they were moved or edited. Pure. */

export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a value says, whatever the order of its fields. What is absent and what is undefined is the same. */
const contentOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? '';

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || contentOf(one) === contentOf(other);

/** What names an item of a list, where each has one of its own. */
const keyNames = ['id', 'name', 'address', 'domain', 'code'];

/** The field that names the items of all these lists; undefined: they are known by what they say. */
export const itemKey = (lists: readonly (readonly unknown[])[]): string | undefined =>
  keyNames.find((name) =>
    lists.every((list) => {
      const names = list.map((item) => (isRecord(item) ? item[name] : undefined));
      return (
        names.every((each) => each !== undefined && each !== '' && !isRecord(each)) &&
        new Set(names).size === names.length
      );
    }),
  );

/** The same text for items that are the same one. */
export const identityOf =
  (key: string | undefined) =>
  (item: unknown): string =>
    contentOf(key === undefined ? item : (item as Fields)[key]);

/** For each item of the base, where it is in the other list; -1: it is gone. */
export function placesOf(
  base: readonly unknown[],
  side: readonly unknown[],
  key: string | undefined,
): number[] {
  const identity = identityOf(key);
  const free = new Map<string, number[]>();
  side.forEach((item, index) => {
    const name = identity(item);
    const same = free.get(name);
    if (same) same.push(index);
    else free.set(name, [index]);
  });
  const places = base.map((item) => free.get(identity(item))?.shift() ?? -1);
  if (key === undefined) pairEdited(base, side, places);
  return places;
}

/**
 * Items that nothing names and that were edited: between the same neighbours there are as many as before, and what one says is
 * for the most part what the one in its place said.
 */
function pairEdited(base: readonly unknown[], side: readonly unknown[], places: number[]): void {
  const taken = new Map(places.flatMap((place, index) => (place < 0 ? [] : [[place, index]])));
  const gapsOf = (length: number, neighbour: (index: number) => number | undefined) => {
    const gaps = new Map<number, number[]>();
    let last = -1;
    for (let index = 0; index < length; index += 1) {
      const found = neighbour(index);
      const gap = gaps.get(last);
      if (found === undefined && gap) gap.push(index);
      else if (found === undefined) gaps.set(last, [index]);
      else last = found;
    }
    return gaps;
  };
  const before = gapsOf(base.length, (index) => (places[index]! < 0 ? undefined : index));
  const after = gapsOf(side.length, (index) => taken.get(index));
  for (const [gap, items] of before) {
    const others = after.get(gap) ?? [];
    if (others.length !== items.length) continue;
    items.forEach((item, index) => {
      if (isLike(base[item], side[others[index]!])) places[item] = others[index]!;
    });
  }
}

/** Whether more than half of what an item said is still said; what was empty said nothing. */
function isLike(before: unknown, after: unknown): boolean {
  if (!isRecord(before) || !isRecord(after)) return false;
  const told = Object.keys(before).filter((name) => !isEmpty(before[name]));
  return told.filter((name) => isSame(before[name], after[name])).length * 2 > told.length;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);
