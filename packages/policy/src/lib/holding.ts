/**
 * What a worker remembers, in two generations: when the younger is full, it becomes the older, and what was older is gone.
 * What is asked for again is young again. So nothing that is in use is ever made anew, and nothing ends all at once.
 */
export interface Holding<T> {
  younger: Record<string, T>;
  older: Record<string, T>;
  count: number;
  max: number;
}

/** `max`: of one generation. */
export function holding<T>(max: number): Holding<T> {
  return { younger: {}, older: {}, count: 0, max };
}

export function heldOf<T>(held: Holding<T>, key: string): T | undefined {
  const young = held.younger[key];
  if (young !== undefined) return young;
  const old = held.older[key];
  if (old !== undefined) keep(held, key, old);
  return old;
}

export function keep<T>(held: Holding<T>, key: string, value: T): void {
  if (held.younger[key] === undefined) held.count += 1;
  if (held.count > held.max) {
    held.older = held.younger;
    held.younger = {};
    held.count = 1;
  }
  held.younger[key] = value;
}

export function drop<T>(held: Holding<T>, key: string): void {
  delete held.younger[key];
  delete held.older[key];
}
