import { certificateNamesMax } from '@breakwater/contract';

/**
 * How the names of a site are divided among its certificates, of which each has so many at most. A name stays where it is, whichever
 * others come and go: it is never without a certificate for the sake of another one.
 */

export interface Share {
  id: number;
  domains: readonly string[];
  /** Whether it takes a name that it does not have, where it has room. */
  takes: (name: string) => boolean;
}

export interface Division {
  /** By the order: what it has from now on, those that it had first. */
  shares: ReadonlyMap<number, string[]>;
  /** What none has room for. */
  rest: string[];
}

export function divideNames(names: readonly string[], orders: readonly Share[]): Division {
  const wanted = new Set(names);
  const placed = new Set<string>();
  const shares = new Map<number, string[]>();
  for (const { id, domains } of orders) {
    const kept = domains.filter((name) => wanted.has(name) && !placed.has(name));
    kept.forEach((name) => placed.add(name));
    shares.set(id, kept);
  }
  const rest: string[] = [];
  for (const name of names) {
    if (placed.has(name)) continue;
    placed.add(name);
    const taker = orders.find(({ id, takes }) => shares.get(id)!.length < certificateNamesMax && takes(name));
    (taker ? shares.get(taker.id)! : rest).push(name);
  }
  return { shares, rest };
}

/** What no order has room for, as the names of further ones. */
export function furtherOrders(rest: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < rest.length; from += certificateNamesMax)
    parts.push(rest.slice(from, from + certificateNamesMax));
  return parts;
}

export const hasSameNames = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();
