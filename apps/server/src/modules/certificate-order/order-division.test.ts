import { describe, expect, it } from 'vitest';
import { divideNames, furtherOrders, hasSameNames, type Share } from './order-division.ts';

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.example.com`);
const share = (id: number, domains: string[], takes = true): Share => ({ id, domains, takes: () => takes });
const sharesOf = (names: string[], orders: Share[]) => {
  const { shares, rest } = divideNames(names, orders);
  return { shares: [...shares.values()], rest };
};

describe('the names of a site', () => {
  it('stay in the certificate they are in, in whatever order the site has them', () => {
    const [one, two] = [named('a', 100), named('b', 30)];
    const names = [...two, ...one].toReversed();
    expect(sharesOf(names, [share(1, one), share(2, two)])).toEqual({ shares: [one, two], rest: [] });
  });

  it('that go leave room, which the next one takes; none of the others moves', () => {
    const [one, two] = [named('a', 100), named('b', 30)];
    const names = [...one.slice(1), ...two, 'new.example.com', 'more.example.com'];
    expect(sharesOf(names, [share(1, one), share(2, two)])).toEqual({
      shares: [
        [...one.slice(1), 'new.example.com'],
        [...two, 'more.example.com'],
      ],
      rest: [],
    });
  });

  it('that none has room for, or none takes, are left for further certificates of a hundred each', () => {
    const one = named('a', 100);
    const names = [...one, ...named('b', 150)];
    const { shares, rest } = sharesOf(names, [share(1, one), share(2, [], false)]);
    expect(shares).toEqual([one, []]);
    expect(furtherOrders(rest).map((part) => part.length)).toEqual([100, 50]);
    expect(furtherOrders([])).toEqual([]);
  });

  it('are in one certificate each, also where two have one', () => {
    expect(
      sharesOf(
        ['x.example.com'],
        [share(1, ['x.example.com']), share(2, ['x.example.com', 'y.example.com'])],
      ),
    ).toEqual({ shares: [['x.example.com'], []], rest: [] });
  });

  it('are the same in any order', () => {
    expect(hasSameNames(['b', 'a'], ['a', 'b'])).toBe(true);
    expect(hasSameNames(['a'], ['a', 'b'])).toBe(false);
  });
});
