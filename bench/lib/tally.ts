/** How many of each name, and of how many. */
export class Tally {
  readonly #counts = new Map<string, { hits: number; all: number }>();

  add(name: string, isHit: boolean): void {
    const count = this.#counts.get(name) ?? { hits: 0, all: 0 };
    count.all += 1;
    if (isHit) count.hits += 1;
    this.#counts.set(name, count);
  }

  print(title: string): void {
    console.log(title);
    for (const [name, { hits, all }] of this.#counts)
      console.log(`  ${name.padEnd(24)} ${hits} of ${all} (${((hits / all) * 100).toFixed(1)} %)`);
  }

  share(name: string): number {
    const { hits, all } = this.#counts.get(name) ?? { hits: 0, all: 0 };
    return all === 0 ? 0 : hits / all;
  }
}
