/** From a minute until another, both told of, as epoch milliseconds. */
export interface Stretch {
  first: number;
  last: number;
}

/** Where stretches outlive the process. */
export interface CoverageKeeper {
  load(): Promise<{ nodeId: number; stretches: Stretch[] }[]>;
  /** Changes what is kept of a node, which another server may have changed meanwhile. Returns what is kept then. */
  change(nodeId: number, work: (kept: Stretch[]) => Stretch[]): Promise<Stretch[]>;
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
    for (const { nodeId, stretches } of kept) this.#byNode.set(nodeId, joined(stretches));
  }

  /** The node has told of all from a time until another. */
  async tell(nodeId: number, from: number, until: number): Promise<void> {
    const known = this.#byNode.get(nodeId)?.at(-1);
    const stretch = { first: minuteOf(from), last: minuteOf(until) };
    if (known && known.first <= stretch.first && known.last >= stretch.last) return;
    this.#byNode.set(nodeId, await this.#keeper.change(nodeId, (kept) => joined([...kept, stretch])));
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
      this.#byNode.set(
        nodeId,
        await this.#keeper.change(nodeId, (kept) =>
          kept
            .filter(({ last }) => last >= minute)
            .map(({ first, last }) => ({ first: Math.max(first, minute), last })),
        ),
      );
    }
  }
}

/** In order, and those between which nothing is missing as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { first, last } of stretches.toSorted((a, b) => a.first - b.first)) {
    const before = all.at(-1);
    if (before && first - before.last <= silenceMs) before.last = Math.max(before.last, last);
    else all.push({ first, last });
  }
  return all;
}
