import { type Database, type Run, timestamp } from './database.ts';

/** From a minute until another, both told of, as epoch milliseconds. */
export interface Stretch {
  first: number;
  last: number;
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
  readonly #database: Database;
  readonly #byNode = new Map<number, Stretch[]>();

  private constructor(database: Database) {
    this.#database = database;
  }

  static async load(database: Database): Promise<Coverage> {
    const coverage = new Coverage(database);
    const rows = await database.read((run) =>
      run('SELECT node_id, first, last FROM log_covered ORDER BY first'),
    );
    for (const { node_id, first, last } of rows)
      coverage.#add(Number(node_id), { first: Date.parse(String(first)), last: Date.parse(String(last)) });
    return coverage;
  }

  /** The node has told of all from a time until another. */
  async tell(nodeId: number, from: number, until: number): Promise<void> {
    const known = this.#byNode.get(nodeId)?.at(-1);
    const stretch = { first: minuteOf(from), last: minuteOf(until) };
    if (known && known.first <= stretch.first && known.last >= stretch.last) return;
    this.#add(nodeId, stretch);
    const stretches = this.#byNode.get(nodeId) ?? [];
    await this.#database.write((run) => store(run, nodeId, stretches));
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
      const kept = stretches
        .filter(({ last }) => last >= minute)
        .map(({ first, last }) => ({ first: Math.max(first, minute), last }));
      this.#byNode.set(nodeId, kept);
      await this.#database.write((run) => store(run, nodeId, kept));
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

/** A node has a handful of stretches: one for each time it was away. */
async function store(run: Run, nodeId: number, stretches: readonly Stretch[]): Promise<void> {
  await run('DELETE FROM log_covered WHERE node_id = $nodeId', { nodeId });
  for (const { first, last } of stretches)
    await run('INSERT INTO log_covered VALUES ($nodeId, $first, $last)', {
      nodeId,
      first: timestamp(first),
      last: timestamp(last),
    });
}
