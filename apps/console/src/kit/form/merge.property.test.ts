import { isSame } from '@breakwater/contract/list-items';
import { randomFrom } from '@breakwater/policy/lib/test-random';
import { describe, expect, it } from 'vitest';
import { merge } from './merge.ts';

/** What holds of any two people's changes to a list, whatever each of them added, removed, moved and edited. */

interface Kind<Item> {
  make: (serial: number, pick: (count: number) => number) => Item;
  /** Nothing where an item is replaced, but never edited. */
  edit?: (item: Item, serial: number, pick: (count: number) => number) => Item;
}
interface Named {
  name: string;
  x: number;
  y: number;
}
const texts: Kind<string> = { make: (serial) => `t${serial}` };
const named: Kind<Named> = {
  make: (serial) => ({ name: `n${serial}`, x: 0, y: 0 }),
  edit: (item, serial, pick) => (pick(2) === 0 ? { ...item, x: serial } : { ...item, y: serial }),
};
/** Nothing names these, and some say the same. */
const unnamed: Kind<object> = {
  make: (_, pick) => ({ action: pick(2), path: `/${pick(3)}`, note: `${pick(3)}`, only: [pick(2)] }),
  edit: (item, _, pick) => ({ ...item, [['action', 'path', 'note'][pick(3)]!]: pick(3) }),
};

const rounds = 4000;

/** As many different triples of what was there, and what two made of it, as there are rounds. */
function* triples<Item>({ make, edit }: Kind<Item>) {
  for (let seed = 1; seed <= rounds; seed += 1) {
    const random = randomFrom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    let serial = 0;
    const next = () => make((serial += 1), pick);
    const base = Array.from({ length: pick(6) }, next);
    const changed = () => {
      const list = [...base];
      for (let step = pick(4); step > 0; step -= 1) {
        const at = pick(list.length + 1);
        const what = pick(4);
        if (what === 0 || list.length === 0) list.splice(at, 0, next());
        else if (what === 1) list.splice(pick(list.length), 1);
        else if (what === 2) list.splice(pick(list.length), 0, ...list.splice(pick(list.length), 1));
        else if (edit) {
          const place = pick(list.length);
          list[place] = edit(list[place]!, (serial += 1), pick);
        }
      }
      return list;
    };
    yield { seed, base, theirs: changed(), mine: changed() };
  }
}

const merged = <Item>(base: Item[], theirs: Item[], mine: Item[]) => {
  const { value, conflicts, taken } = merge({ list: base }, { list: theirs }, { list: mine });
  return { list: value.list, conflicts, taken, isSilent: conflicts.length === 0 && taken.length === 0 };
};
const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).toSorted();
/** Of `list`, those that are in `other`, in the order of `list`. */
const commonOf = (list: readonly string[], ...others: (readonly string[])[]) =>
  list.filter((item) => others.every((other) => other.includes(item)));

describe.each<[string, Kind<unknown>]>([
  ['texts', texts as Kind<unknown>],
  ['named items', named as Kind<unknown>],
  ['unnamed items', unnamed as Kind<unknown>],
])('a list of %s', (_, kind) => {
  it('is one side’s where only that side changed it, or both did the same', () => {
    for (const { seed, base, theirs, mine } of triples(kind)) {
      expect([seed, merged(base, base, mine)]).toMatchObject([seed, { list: mine, isSilent: true }]);
      expect([seed, merged(base, mine, mine)]).toMatchObject([seed, { list: mine, isSilent: true }]);
      const took = { list: theirs, conflicts: [], isSilent: isSame(theirs, base) };
      expect([seed, merged(base, theirs, base)]).toMatchObject([seed, took]);
    }
  });

  it('is never another than what was entered without a word', () => {
    for (const { seed, base, theirs, mine } of triples(kind)) {
      const { list, isSilent } = merged(base, theirs, mine);
      expect([seed, isSilent && !isSame(list, mine)]).toEqual([seed, false]);
    }
  });

  it('has the same items whoever of two is second, unless one of them has to choose', () => {
    for (const { seed, base, theirs, mine } of triples(kind)) {
      const [one, other] = [merged(base, theirs, mine), merged(base, mine, theirs)];
      expect([seed, one.conflicts.length > 0]).toEqual([seed, other.conflicts.length > 0]);
      if (one.conflicts.length === 0) expect([seed, sorted(one.list)]).toEqual([seed, sorted(other.list)]);
    }
  });
});

it('has what each side added, lacks what each removed, and is in the order of whoever moved it', () => {
  for (const { seed, base, theirs, mine } of triples(texts)) {
    const { list, conflicts } = merged(base, theirs, mine);
    const [inTheirs, inMine, before] = [new Set(theirs), new Set(mine), new Set(base)];
    const all = new Set([...base, ...theirs, ...mine]);
    const kept = [...all].filter((item) =>
      before.has(item) ? inTheirs.has(item) && inMine.has(item) : inTheirs.has(item) || inMine.has(item),
    );
    expect([seed, list.toSorted()]).toEqual([seed, kept.toSorted()]);
    if (conflicts.length > 0) continue;
    const [was, their, my] = [
      commonOf(base, theirs, mine),
      commonOf(theirs, base, mine),
      commonOf(mine, base, theirs),
    ];
    const order = isSame(my, was) ? their : my;
    expect([seed, commonOf(list, base, theirs, mine)]).toEqual([seed, order]);
  }
});

it('has of each named item what each side edited; what both edited, or one removed, is shown', () => {
  const fields = ['x', 'y'] as const;
  for (const { seed, base, theirs, mine } of triples(named)) {
    const { list, conflicts } = merged(base, theirs, mine);
    const isShown = (field: string) =>
      conflicts.some(({ path }) => path === 'list' || path.endsWith(`.${field}`));
    for (const item of base) {
      const [their, my, now] = [theirs, mine, list].map((side) =>
        side.find((each) => each.name === item.name),
      );
      const found =
        their && my && now
          ? fields.map((field) => {
              const both = their[field] !== item[field] && my[field] !== item[field];
              if (both && their[field] !== my[field]) return isShown(field);
              return now[field] === (my[field] === item[field] ? their[field] : my[field]);
            })
          : // Gone on one side: at least shown, where it was edited on the other.
            [isSame(their ?? my ?? item, item) ? now === undefined : isShown('')];
      expect([seed, ...found]).toEqual([seed, ...found.map(() => true)]);
    }
  }
});
