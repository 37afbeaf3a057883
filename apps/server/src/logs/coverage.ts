/** From a minute until another, both told of, as epoch milliseconds. */
export interface Stretch {
  first: number;
  last: number;
}

/** Where stretches outlive the process. */
export interface CoverageKeeper {
  load(): Promise<{ nodeId: number; stretches: Stretch[] }[]>;
  /** In place of what is kept of the node. */
  keep(nodeId: number, stretches: readonly Stretch[]): Promise<void>;
}

const minuteMs = 60_000;
/** Nodes report every few seconds, and lines of a busy one follow each other: a longer silence is a gap. */
const silenceMs = 5 * minuteMs;
const minuteOf = (time: number): number => Math.floor(time / minuteMs) * minuteMs;

/**
 * Which minutes the nodes have told of, so that a chart can tell a quiet minute from one nobody knows of. Held in
 * memory and stored a minute at a time.
 */
export class Coverage {
  readonly #keeper: CoverageKeeper;
  readonly #byNode = new Map<number, Stretch[]>();

  constructor(keeper: CoverageKeeper) {
    this.#keeper = keeper;
  }

  /** Takes what is kept for what is known. */
  async load(): Promise<void> {
    const kept = await this.#keeper.load();
    this.#byNode.clear();
    for (const { nodeId, stretches } of kept)
      for (const stretch of stretches) this.#add(nodeId, { ...stretch });
  }

  /** The node has told of all from a time until another. */
  async tell(nodeId: number, from: number, until: number): Promise<void> {
    const known = this.#byNode.get(nodeId)?.at(-1);
    const stretch = { first: minuteOf(from), last: minuteOf(until) };
    if (known && known.first <= stretch.first && known.last >= stretch.last) return;
    this.#add(nodeId, stretch);
    await this.#keeper.keep(nodeId, this.#byNode.get(nodeId) ?? []);
  }

  /** The node has told of all until now: it goes on from where it last told, unless that was long ago. */
  tellUntil(nodeId: number, until: number): Promise<void> {
    const last = this.#byNode.get(nodeId)?.at(-1)?.last;
    const goesOn = last !== undefined && until - last <= silenceMs;
    return this.tell(nodeId, goesOn ? Math.min(last, until) : until, until);
  }

  /** Whether any of the nodes told of some minute from `start` up to `end`. */
  covers(nodeId: number | undefined, start: number, end: number): boolean {
    const nodes = nodeId === undefined ? [...this.#byNode.values()] : [this.#byNode.get(nodeId) ?? []];
    return nodes.some((stretches) =>
      stretches.some(({ first, last }) => first < end && last + minuteMs > start),
    );
  }

  /** Forgets what lies before. */
  async forget(before: number): Promise<void> {
    const minute = Math.ceil(before / minuteMs) * minuteMs;
    for (const [nodeId, stretches] of this.#byNode) {
      if (stretches.every(({ first }) => first >= minute)) continue;
      const kept = stretches
        .filter(({ last }) => last >= minute)
        .map(({ first, last }) => ({ first: Math.max(first, minute), last }));
      this.#byNode.set(nodeId, kept);
      await this.#keeper.keep(nodeId, kept);
    }
  }

  #add(nodeId: number, stretch: Stretch): void {
    const all = [...(this.#byNode.get(nodeId) ?? []), stretch].toSorted((a, b) => a.first - b.first);
    const joined: Stretch[] = [];
    for (const { first, last } of all) {
      const before = joined.at(-1);
      if (before && first - before.last <= silenceMs) before.last = Math.max(before.last, last);
      else joined.push({ first, last });
    }
    this.#byNode.set(nodeId, joined);
  }
}
