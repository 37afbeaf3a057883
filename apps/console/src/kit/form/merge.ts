import {
  isRecord,
  isSame,
  itemKey,
  identityOf,
  placesOf,
  type Fields,
} from '@breakwater/contract/list-items';
import { diffJson, type DiffEntry } from '@breakwater/contract/json-diff';

/**
 * Three-way merge of what a form was built on, what somebody else made of it, and what was entered. Nothing of either side is
 * lost: what both changed is a conflict, of which the merged value has mine until somebody chooses.
 *
 * The items of a list are known by what names them (`itemKey`); plain values by themselves; others by what they say. Items
 * of which that does not hold on both sides, or two orders, are a conflict of the whole list.
 */

/** Both sides changed it, in different ways. `mine` and `theirs` are what stands at the path with one or the other choice. */
export interface Conflict {
  /** Dotted, in the merged value. */
  path: string;
  theirs: unknown;
  mine: unknown;
  /** Another field that goes with this one, and is chosen with it: the whole of what the kind at `path` asks for. */
  along?: { path: string; theirs: unknown; mine: unknown };
}
/** What the other side changed and I did not. */
export interface Taken {
  path: string;
  before: unknown;
  after: unknown;
  /** Of an item that was only moved: its place before, and what names the item, as `DiffEntry` has it. */
  from?: number | undefined;
  of?: DiffEntry['of'];
}
export interface Merged<Value> {
  value: Value;
  conflicts: Conflict[];
  taken: Taken[];
}

interface MergeOptions {
  /** Top-level texts that are lists of lines, in which an order says nothing. */
  lines?: readonly string[] | undefined;
  /** A top-level field that names a kind, and the one that has what this kind asks for: of two kinds nothing is mixed. */
  kind?: KindFields | undefined;
}

export interface KindFields {
  by: string;
  of: string;
}

export function merge<Value>(base: Value, theirs: Value, mine: Value, options: MergeOptions = {}) {
  const { lines = [], kind } = options;
  if (kind !== undefined && new Set([base, theirs, mine].map((value) => fieldOf(value, kind.by))).size > 1)
    return mergeKinds(base, theirs, mine, { ...options, kind });
  const split = (value: unknown): unknown => onFields(value, lines, (text: string) => text.split('\n'));
  const join = (value: unknown): unknown => onFields(value, lines, (list: string[]) => list.join('\n'));
  const merged = mergeValues(split(base), split(theirs), split(mine), 'mine');
  const joined = (change: Conflict | Taken) =>
    lines.includes(change.path)
      ? Object.fromEntries(
          Object.entries(change).map(([name, part]) => [name, Array.isArray(part) ? part.join('\n') : part]),
        )
      : change;
  return {
    value: join(merged.value),
    conflicts: merged.conflicts.map(joined),
    taken: merged.taken.map(joined),
  } as Merged<Value>;
}

const fieldOf = (value: unknown, name: string): unknown => (value as Fields)[name];

/** What is of a kind is one side's as a whole; all else is merged as ever. */
function mergeKinds<Value>(
  base: Value,
  theirs: Value,
  mine: Value,
  { lines, kind: { by, of } }: MergeOptions & { kind: KindFields },
): Merged<Value> {
  const without = (value: Value) => {
    const { [by]: _kind, [of]: _parts, ...rest } = value as Fields;
    return rest;
  };
  const { value, conflicts, taken } = merge(without(base), without(theirs), without(mine), { lines });
  const wholeOf = (side: Value) => ({ [by]: fieldOf(side, by), [of]: fieldOf(side, of) });
  const [before, their, my] = [wholeOf(base), wholeOf(theirs), wholeOf(mine)];
  const join = (part: Parts) =>
    ({
      value: { ...value, ...(part.value as Fields) },
      conflicts: [...part.conflicts, ...conflicts],
      taken: [...part.taken, ...taken],
    }) as Merged<Value>;
  // Both chose the same kind: what the one before asked for is of no account.
  if (their[by] === my[by]) return join(mergeRecords({ [by]: before[by], [of]: {} }, their, my, 'mine'));
  if (isSame(their, before)) return join(plain(my));
  if (isSame(my, before))
    return join({ ...plain(their), taken: [{ path: by, before: before[by], after: their[by] }] });
  const along = { path: of, theirs: their[of], mine: my[of] };
  return join({ ...plain(my), conflicts: [{ path: by, theirs: their[by], mine: my[by], along }] });
}

function onFields(value: unknown, names: readonly string[], change: (part: never) => unknown): unknown {
  if (names.length === 0 || !isRecord(value)) return value;
  const changed = names
    .filter((name) => value[name] !== undefined)
    .map((name) => [name, change(value[name] as never)]);
  return { ...value, ...Object.fromEntries(changed) };
}

type Side = 'mine' | 'theirs';
type Parts = Merged<unknown>;
const plain = (value: unknown): Parts => ({ value, conflicts: [], taken: [] });

/** `prefer`: whose is in the value where both changed it. */
function mergeValues(base: unknown, theirs: unknown, mine: unknown, prefer: Side): Parts {
  if (isSame(theirs, mine) || isSame(theirs, base)) return plain(mine);
  if (isRecord(theirs) && isRecord(mine) && (isRecord(base) || base === undefined))
    return mergeRecords(base ?? {}, theirs, mine, prefer);
  if (Array.isArray(theirs) && Array.isArray(mine) && (Array.isArray(base) || base === undefined))
    return mergeLists(base ?? [], theirs, mine, prefer);
  if (isSame(mine, base))
    return { value: theirs, conflicts: [], taken: [{ path: '', before: base, after: theirs }] };
  return { value: prefer === 'mine' ? mine : theirs, conflicts: [{ path: '', theirs, mine }], taken: [] };
}

function mergeRecords(base: Fields, theirs: Fields, mine: Fields, prefer: Side): Parts {
  const value: Fields = {};
  const parts = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].map((name) => {
    const part = mergeValues(base[name], theirs[name], mine[name], prefer);
    if (part.value !== undefined || name in mine) value[name] = part.value;
    return below(name, part);
  });
  return {
    value,
    conflicts: parts.flatMap((part) => part.conflicts),
    taken: parts.flatMap((part) => part.taken),
  };
}

function below(name: string | number, { conflicts, taken }: Parts) {
  const at = <Change extends { path: string }>(change: Change): Change => ({
    ...change,
    path: change.path === '' ? String(name) : `${name}.${change.path}`,
  });
  return { conflicts: conflicts.map(at), taken: taken.map(at) };
}

/** An item by its token: `b3` was there before, `t1` and `m0` were added. */
type Token = string;

function mergeLists(
  base: readonly unknown[],
  theirs: readonly unknown[],
  mine: readonly unknown[],
  prefer: Side,
): Parts {
  const built = buildList(base, theirs, mine, prefer);
  if (!built.isContested) return built.parts;
  const other = buildList(base, theirs, mine, prefer === 'mine' ? 'theirs' : 'mine').parts.value;
  const { value, taken } = built.parts;
  const [chosenMine, chosenTheirs] = prefer === 'mine' ? [value, other] : [other, value];
  return { value, conflicts: [{ path: '', theirs: chosenTheirs, mine: chosenMine }], taken };
}

function buildList(
  base: readonly unknown[],
  theirs: readonly unknown[],
  mine: readonly unknown[],
  prefer: Side,
) {
  const key = itemKey([base, theirs, mine]);
  const identity = identityOf(key);
  const theirPlaces = placesOf(base, theirs, key);
  const myPlaces = placesOf(base, mine, key);
  const items = new Map<Token, Parts>();
  const taken: Taken[] = [];
  let isContested = false;
  base.forEach((item, index) => {
    const [theirPlace, myPlace] = [theirPlaces[index]!, myPlaces[index]!];
    const token = `b${index}`;
    if (theirPlace >= 0 && myPlace >= 0)
      items.set(token, mergeValues(item, theirs[theirPlace], mine[myPlace], prefer));
    else if (theirPlace >= 0 || myPlace >= 0) {
      const kept = theirPlace >= 0 ? theirs[theirPlace] : mine[myPlace];
      const keeper: Side = theirPlace >= 0 ? 'theirs' : 'mine';
      const wasEdited = !isSame(kept, item);
      isContested ||= wasEdited;
      if (wasEdited && keeper === prefer) items.set(token, plain(kept));
      else if (keeper === 'mine') taken.push({ path: '', before: item, after: undefined });
    }
  });
  const theirTokens = tokensOf(theirs, theirPlaces, 't');
  const myTokens = tokensOf(mine, myPlaces, 'm');
  addNew({ theirs, mine, theirTokens, myTokens, identity, prefer, items });
  const order = orderOf(base, { theirTokens, myTokens, prefer, items });
  isContested ||= order.isContested;
  const parts = order.tokens.map((token) => items.get(token)!);
  const nested = parts.map((part, index) => below(index, part));
  return {
    isContested,
    parts: {
      value: parts.map((part) => part.value),
      conflicts: nested.flatMap((part) => part.conflicts),
      taken: [
        ...taken,
        ...(order.takesTheirs ? movesOf(base, theirs) : []),
        ...nested.flatMap((part) => part.taken),
      ],
    } satisfies Parts,
  };
}

/** Those of this list, and not of lists in its items: places are by the other side's list. */
const movesOf = (base: readonly unknown[], theirs: readonly unknown[]): Taken[] =>
  diffJson(base, theirs).flatMap(({ path, before, after, from, of }) =>
    from === undefined || path.includes('.') ? [] : [{ path, before, after, from, of }],
  );

function tokensOf(side: readonly unknown[], places: readonly number[], prefix: string): Token[] {
  const known = new Map(places.map((place, index) => [place, `b${index}`]));
  return side.map((_, index) => known.get(index) ?? `${prefix}${index}`);
}

interface Adding {
  theirs: readonly unknown[];
  mine: readonly unknown[];
  theirTokens: Token[];
  myTokens: Token[];
  identity: (item: unknown) => string;
  prefer: Side;
  items: Map<Token, Parts>;
}

/** What was added on each side; what both added is one item. */
function addNew({ theirs, mine, theirTokens, myTokens, identity, prefer, items }: Adding): void {
  const added = new Map<string, number[]>();
  mine.forEach((item, index) => {
    const token = myTokens[index]!;
    if (!token.startsWith('m')) return;
    items.set(token, plain(item));
    added.set(identity(item), [...(added.get(identity(item)) ?? []), index]);
  });
  theirs.forEach((item, index) => {
    const token = theirTokens[index]!;
    if (!token.startsWith('t')) return;
    const same = added.get(identity(item))?.shift();
    if (same === undefined)
      items.set(token, { value: item, conflicts: [], taken: [{ path: '', before: undefined, after: item }] });
    else {
      theirTokens[index] = myTokens[same]!;
      items.set(myTokens[same]!, mergeValues(undefined, item, mine[same], prefer));
    }
  });
}

interface Ordering {
  theirTokens: readonly Token[];
  myTokens: readonly Token[];
  prefer: Side;
  items: ReadonlyMap<Token, Parts>;
}

/** The order of the side that changed it; what only the other side has follows what it follows there. */
function orderOf(base: readonly unknown[], { theirTokens, myTokens, prefer, items }: Ordering) {
  const inBoth = new Set(theirTokens).intersection(new Set(myTokens));
  const commonOf = (tokens: readonly Token[]) =>
    tokens.filter((token) => token.startsWith('b') && inBoth.has(token)).join();
  const original = commonOf(base.map((_, index) => `b${index}`));
  const [theirOrder, myOrder] = [commonOf(theirTokens), commonOf(myTokens)];
  const isContested = theirOrder !== myOrder && theirOrder !== original && myOrder !== original;
  const takesTheirs = isContested ? prefer === 'theirs' : myOrder === original && theirOrder !== original;
  const [first, second] = takesTheirs ? [theirTokens, myTokens] : [myTokens, theirTokens];
  const placed = new Set(first);
  const following = new Map<Token, Token[]>();
  let last = '';
  for (const token of second) {
    if (placed.has(token)) last = token;
    else following.set(last, [...(following.get(last) ?? []), token]);
  }
  const tokens = ['', ...first].flatMap((token) => [token, ...(following.get(token) ?? [])]);
  return { isContested, takesTheirs, tokens: tokens.filter((token) => items.has(token)) };
}
