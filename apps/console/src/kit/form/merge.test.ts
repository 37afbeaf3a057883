import { describe, expect, it } from 'vitest';
import { isSame } from '@breakwater/contract/list-items';
import { merge } from './merge.ts';

describe('fields', () => {
  it('has both when each side changed another field, at any depth', () => {
    const base = { name: 'a', hsts: { enabled: false, seconds: 1 }, notes: '' };
    const theirs = { name: 'b', hsts: { enabled: true, seconds: 1 }, notes: '' };
    const mine = { name: 'a', hsts: { enabled: false, seconds: 9 }, notes: 'mine' };
    expect(merge(base, theirs, mine)).toEqual({
      value: { name: 'b', hsts: { enabled: true, seconds: 9 }, notes: 'mine' },
      conflicts: [],
      taken: [
        { path: 'name', before: 'a', after: 'b' },
        { path: 'hsts.enabled', before: false, after: true },
      ],
    });
  });

  it('shows both where both changed the same one, and nothing where both changed it alike', () => {
    const base = { name: 'a', days: 1, gone: 1 as number | undefined };
    const merged = merge(base, { name: 'b', days: 2, gone: undefined }, { name: 'c', days: 2, gone: 3 });
    expect(merged.conflicts).toEqual([
      { path: 'name', theirs: 'b', mine: 'c' },
      { path: 'gone', theirs: undefined, mine: 3 },
    ]);
    expect(merged.value).toEqual({ name: 'c', days: 2, gone: 3 });
  });

  it('takes an absent field for one that is undefined', () => {
    expect(merge({ host: undefined }, {}, { host: undefined })).toMatchObject({ conflicts: [], taken: [] });
  });
});

describe('what is of a kind', () => {
  const kind = { by: 'provider', of: 'params' };
  const base = { name: 'a', provider: 'one', params: { url: 'u', server: 's' } };
  const edited = { ...base, params: { url: 'u', server: 'edited' } };
  const changed = { name: 'a', provider: 'two', params: { token: 't' } };

  it('is merged by its fields as long as all sides are of the same', () => {
    const { value, conflicts } = merge(
      base,
      edited,
      { ...base, params: { url: 'v', server: 's' } },
      { kind },
    );
    expect([value.params, conflicts]).toEqual([{ url: 'v', server: 'edited' }, []]);
  });

  it('is chosen as a whole where one side changed the kind and the other what it asks for', () => {
    const [kept, sent] = [edited.params, changed.params];
    expect(merge<object>(base, edited, { ...changed, name: 'b' }, { kind })).toEqual({
      value: { ...changed, name: 'b' },
      conflicts: [
        { path: 'provider', theirs: 'one', mine: 'two', along: { path: 'params', theirs: kept, mine: sent } },
      ],
      taken: [],
    });
    expect(merge<object>(base, changed, edited, { kind })).toEqual({
      value: edited,
      conflicts: [
        { path: 'provider', theirs: 'two', mine: 'one', along: { path: 'params', theirs: sent, mine: kept } },
      ],
      taken: [],
    });
  });

  it('is taken as a whole where the other side did not touch it', () => {
    expect(merge<object>(base, { ...changed, name: 'b' }, base, { kind })).toEqual({
      value: { ...changed, name: 'b' },
      conflicts: [],
      taken: [
        { path: 'provider', before: 'one', after: 'two' },
        { path: 'name', before: 'a', after: 'b' },
      ],
    });
    expect(merge<object>(base, { ...base, name: 'b' }, changed, { kind })).toMatchObject({
      value: { ...changed, name: 'b' },
      conflicts: [],
    });
  });

  it('is merged by its fields where both sides changed to the same', () => {
    const mine = { ...changed, params: { token: 'mine', zone: 'z' } };
    const { value, conflicts } = merge<object>(base, changed, mine, { kind });
    expect(value).toEqual(mine);
    expect(conflicts).toEqual([{ path: 'params.token', theirs: 't', mine: 'mine' }]);
  });
});

describe('lists whose items are named', () => {
  const base = {
    origins: [
      { address: 'a', weight: 1 },
      { address: 'b', weight: 1 },
    ],
  };

  it('keeps what each side added, changed and took away', () => {
    const theirs = {
      origins: [
        { address: 'a', weight: 5 },
        { address: 'x', weight: 1 },
      ],
    };
    const mine = { origins: [...base.origins, { address: 'y', weight: 1 }] };
    const { value, conflicts, taken } = merge(base, theirs, mine);
    expect(conflicts).toEqual([]);
    expect(value.origins).toEqual([
      { address: 'a', weight: 5 },
      { address: 'x', weight: 1 },
      { address: 'y', weight: 1 },
    ]);
    expect(taken).toEqual([
      { path: 'origins', before: { address: 'b', weight: 1 }, after: undefined },
      { path: 'origins.0.weight', before: 1, after: 5 },
      { path: 'origins.1', before: undefined, after: { address: 'x', weight: 1 } },
    ]);
  });

  it('merges an item that both changed by its fields, wherever it stands by now', () => {
    const theirs = {
      origins: [
        { address: 'b', weight: 7 },
        { address: 'a', weight: 1 },
      ],
    };
    const mine = {
      origins: [
        { address: 'a', weight: 1 },
        { address: 'b', weight: 3 },
      ],
    };
    const { value, conflicts } = merge(base, theirs, mine);
    expect(value.origins).toEqual([
      { address: 'b', weight: 3 },
      { address: 'a', weight: 1 },
    ]);
    expect(conflicts).toEqual([{ path: 'origins.0.weight', theirs: 7, mine: 3 }]);
  });

  it('shows both lists where one side took away what the other changed', () => {
    const theirs = { origins: [base.origins[0]!] };
    const mine = { origins: [base.origins[0]!, { address: 'b', weight: 3 }, { address: 'new', weight: 1 }] };
    const { value, conflicts } = merge(base, theirs, mine);
    expect(value).toEqual(mine);
    expect(conflicts).toEqual([
      { path: 'origins', mine: mine.origins, theirs: [base.origins[0], { address: 'new', weight: 1 }] },
    ]);
  });

  it('has an item once that both added, and shows where they differ', () => {
    const added = (weight: number) => ({ origins: [...base.origins, { address: 'z', weight }] });
    expect(merge(base, added(2), added(2)).value).toEqual(added(2));
    expect(merge(base, added(2), added(4))).toMatchObject({
      value: added(4),
      conflicts: [{ path: 'origins.2.weight', theirs: 2, mine: 4 }],
    });
  });
});

describe('lists of rules, which nothing names', () => {
  const rule = (more: object) => ({
    enabled: true,
    action: 'deny',
    addresses: [] as string[],
    note: '',
    ...more,
  });
  const base = [rule({ addresses: ['1'] }), rule({ addresses: ['2'] }), rule({ addresses: ['3'] })];

  it('tells of what the other side moved, wherever it stands, and what was changed of it stays', () => {
    const [one, two, three] = base as [object, object, object];
    const mine = [{ ...one, note: 'mine' }, two, three];
    const { value, taken } = merge<object>({ rules: base }, { rules: [two, three, one] }, { rules: mine });
    expect(value).toEqual({ rules: [two, three, mine[0]] });
    expect(taken).toMatchObject([{ path: 'rules.2', from: 0 }]);
    const plain = merge(
      { codes: ['a', 'b', 'c'], n: 1 },
      { codes: ['b', 'c', 'a'], n: 1 },
      { codes: ['a', 'b', 'c'], n: 2 },
    );
    expect(plain.value).toEqual({ codes: ['b', 'c', 'a'], n: 2 });
    expect(plain.taken).toMatchObject([{ path: 'codes.2', after: 'a', from: 0 }]);
  });

  it('has what each side added, in its place', () => {
    const theirs = [rule({ note: 'first' }), ...base];
    const mine = [base[0]!, base[1]!, rule({ note: 'mine' }), base[2]!];
    const { value, conflicts } = merge({ rules: base }, { rules: theirs }, { rules: mine });
    expect(conflicts).toEqual([]);
    expect(value.rules.map(({ note, addresses }) => note || addresses[0])).toEqual([
      'first',
      '1',
      '2',
      'mine',
      '3',
    ]);
  });

  it('merges an edited rule by its fields, and its lists by their entries', () => {
    const theirs = [rule({ addresses: ['1', '10'] }), base[1]!, base[2]!];
    const mine = [
      rule({ addresses: ['1', '20'], note: 'n' }),
      base[1]!,
      rule({ addresses: ['3'], enabled: false }),
    ];
    const { value, conflicts } = merge({ rules: base }, { rules: theirs }, { rules: mine });
    expect(conflicts).toEqual([]);
    expect(value.rules).toEqual([
      rule({ addresses: ['1', '10', '20'], note: 'n' }),
      base[1],
      rule({ addresses: ['3'], enabled: false }),
    ]);
  });

  it('never puts into another rule what was meant for one that was replaced', () => {
    const theirs = [rule({ addresses: ['1', '10'] }), base[1]!, base[2]!];
    const mine = [rule({ action: 'allow', addresses: ['9'], note: 'another' }), base[1]!, base[2]!];
    const { value, conflicts } = merge({ rules: base }, { rules: theirs }, { rules: mine });
    expect(value.rules).toEqual(mine);
    expect(conflicts).toEqual([
      { path: 'rules', mine, theirs: [rule({ addresses: ['1', '10'] }), mine[0], base[1], base[2]] },
    ]);
  });

  it('takes the order of the side that changed it, and shows both where both did', () => {
    const [one, two, three] = base as [object, object, object];
    expect(merge({ rules: base }, { rules: [three, one, two] }, { rules: base }).value.rules).toEqual([
      three,
      one,
      two,
    ]);
    const both = merge<{ rules: object[] }>(
      { rules: base },
      { rules: [three, one, two] },
      { rules: [two, one, three] },
    );
    expect(both).toMatchObject({
      value: { rules: [two, one, three] },
      conflicts: [{ path: 'rules', theirs: [three, one, two], mine: [two, one, three] }],
    });
  });
});

it('merges a text that is a list by its lines, and shows both of any other', () => {
  const base = { content: '1\n2\n3', note: 'a\nb' };
  const theirs = { content: '1\n3\n4', note: 'a\nc' };
  const mine = { content: '1\n2\n3\n5', note: 'a\nd' };
  const { value, conflicts } = merge(base, theirs, mine, { lines: ['content'] });
  expect(value).toEqual({ content: '1\n3\n4\n5', note: 'a\nd' });
  expect(conflicts).toEqual([{ path: 'note', theirs: 'a\nc', mine: 'a\nd' }]);
});

/** Always the same numbers, so that a failure comes again. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Thing {
  flat: Record<string, number>;
  named: { id: number; weight: number; note: string }[];
  words: string[];
}

describe('whatever two people do', () => {
  const madeBy = (below: (n: number) => number): Thing => ({
    flat: Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`f${n}`, below(3)])),
    named: Array.from({ length: below(6) }, (_, n) => ({ id: n + 1, weight: below(3), note: '' })),
    words: Array.from({ length: below(6) }, (_, n) => `w${n}`),
  });
  const editedBy = (thing: Thing, below: (n: number) => number, who: number): Thing => {
    const next = structuredClone(thing);
    for (let edit = below(5); edit > 0; edit -= 1) {
      const kind = below(7);
      const at = below(Math.max(next.named.length, 1));
      if (kind === 0) next.flat[`f${below(5)}`] = below(4);
      else if (kind === 1) next.named.push({ id: who * 100 + edit, weight: below(3), note: '' });
      else if (kind === 2) next.named.splice(at, 1);
      else if (kind === 3 && next.named[at]) next.named[at].weight = below(4);
      else if (kind === 4 && next.named.length > 1) next.named.unshift(next.named.pop()!);
      else if (kind === 5) next.words.push(`by ${who} ${edit}`);
      else next.words.splice(below(Math.max(next.words.length, 1)), 1);
    }
    return next;
  };

  it('loses no change of one side, and shows what both changed', () => {
    for (let seed = 1; seed <= 3000; seed += 1) {
      const below = numbersFrom(seed);
      const base = madeBy(below);
      const [theirs, mine] = [editedBy(base, below, 1), editedBy(base, below, 2)];
      const { value, conflicts } = merge(base, theirs, mine);
      const shown = (path: string) =>
        conflicts.some((each) => path === each.path || path.startsWith(`${each.path}.`));
      const check = (what: string, path: string, [was, their, my, now]: unknown[]) => {
        const expected = isSame(their, was) ? my : isSame(my, was) || isSame(my, their) ? their : 'both';
        if (expected === 'both') expect(shown(path), `seed ${seed}: ${what} is shown`).toBe(true);
        else if (!shown(path)) expect(now, `seed ${seed}: ${what}`).toEqual(expected);
      };
      for (const name of Object.keys(base.flat))
        check(
          name,
          `flat.${name}`,
          [base, theirs, mine, value].map(({ flat }) => flat[name]),
        );
      const ids = new Set([base, theirs, mine].flatMap(({ named }) => named.map(({ id }) => id)));
      for (const id of ids) {
        const place = value.named.findIndex((item) => item.id === id);
        const path = place < 0 ? 'named' : `named.${place}.weight`;
        const weights = [base, theirs, mine, value].map(
          ({ named }) => named.find((item) => item.id === id)?.weight,
        );
        check(`item ${id}`, path, weights);
      }
      for (const word of new Set([base, theirs, mine].flatMap(({ words }) => words)))
        check(
          word,
          'words',
          [base, theirs, mine, value].map(({ words }) => words.includes(word)),
        );
      expect(new Set(value.named.map(({ id }) => id)).size).toBe(value.named.length);
    }
  });

  it('is the same whoever is first, where nothing is contested', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const below = numbersFrom(seed);
      const base = madeBy(below);
      const [theirs, mine] = [editedBy(base, below, 1), editedBy(base, below, 2)];
      const [one, other] = [merge(base, theirs, mine), merge(base, mine, theirs)];
      expect(other.conflicts.map(({ path }) => path).toSorted()).toHaveLength(one.conflicts.length);
      if (one.conflicts.length === 0) expect(other.value.flat).toEqual(one.value.flat);
    }
  });
});
