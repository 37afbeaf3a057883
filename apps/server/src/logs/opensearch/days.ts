import type { Names } from './names.ts';
import type { StateDocuments } from './state.ts';

/**
 * Which days are summed up, so that every line counts in exactly one place. A day has indices of records with the numbers
 * from `first` to `open`; lines go to `open`, and those in numbers below `summed` are counted from the sums.
 */
interface Day {
  first: number;
  summed: number;
  open: number;
  running?: Running;
}

/**
 * How far an index that still takes lines is summed up. An index numbers what it stores, and no line gets a number below one
 * that is on disk: so the lines up to `until` are always the same, and count from the sums of so many `parts`.
 */
interface Running {
  generation: number;
  /** One that was deleted and made anew counts from the start. */
  index_id: string;
  until: number;
  parts: number;
  /** Until where the next part goes, which somebody began to sum up. */
  pending?: number;
}

interface DaysBody {
  kind: 'days';
  days: Record<string, Day>;
  /** Sums that are being written, and those that others have taken the place of: they do not count. */
  excluded: string[];
}

const id = 'days';
const empty: DaysBody = { kind: 'days', days: {}, excluded: [] };
const untouched: Day = { first: 1, summed: 1, open: 1 };
const rollName = (day: string, generation: number): string => `${day}-${generation}`;
/** Names of parts are in the order of their numbers. */
const partName = (day: string, { generation, index_id }: Running, number: number): string =>
  `${rollName(day, generation)}-${index_id}-${String(number).padStart(6, '0')}`;
/** Stands for all parts of an index, among what is to be deleted. */
const partsSuffix = '-parts';
/** What the names of those parts begin with, if a name stands for parts. */
export const partsOf = (name: string): string | undefined =>
  name.endsWith(partsSuffix) ? name.slice(0, 1 - partsSuffix.length) : undefined;

/** The sums of a day that are to be written: under which name, and of which numbers of its indices. */
export interface Roll {
  day: string;
  name: string;
  generations: number[];
}

/** An index that still takes lines: its number of the last one below which all are on disk, and stay as they are. */
export interface NumberedIndex {
  day: string;
  generation: number;
  id: string;
  last: number;
}

/** Lines of an index that are to be summed up while it takes more: those behind `after`, up to `until`. */
export interface Part {
  day: string;
  generation: number;
  name: string;
  after: number;
  until: number;
}

/** Of an index, lines up to `until` count from the rolls between two names, both included. */
export interface Cut {
  index: string;
  until: number;
  firstRoll: string;
  lastRoll: string;
}

/** More lines than these are summed up in several parts, so that none takes long. */
const partLinesMax = 500_000;

export class Days {
  readonly #state: StateDocuments;
  readonly #names: Names;
  #body: DaysBody = empty;

  constructor(state: StateDocuments, names: Names) {
    this.#state = state;
    this.#names = names;
  }

  /** Before each question, and before lines are stored: another server may have summed up a day. */
  async load(): Promise<void> {
    this.#body = (await this.#state.read(id, empty)).body;
  }

  /** Where lines of the day go. */
  openIndex(day: string): string {
    return this.#names.records(day, this.#of(day).open);
  }

  /** Indices that a line of the day may stand in already, if it is sent again. */
  closedIndices(day: string): string[] {
    const { first, open } = this.#of(day);
    return generations(first, open).map((each) => this.#names.records(day, each));
  }

  /** As one name, however many they are. */
  allIndices(day: string): string {
    return this.#names.recordsOf(day);
  }

  /** All indices whose lines are in the sums. */
  get summedIndices(): string[] {
    return Object.entries(this.#body.days).flatMap(([day, { first, summed }]) =>
      generations(first, summed).map((each) => this.#names.records(day, each)),
    );
  }

  /** Indices of which a part is in the sums. */
  get cuts(): Cut[] {
    return Object.entries(this.#body.days).flatMap(([day, { running }]) =>
      running && running.parts > 0
        ? [
            {
              index: this.#names.records(day, running.generation),
              until: running.until,
              firstRoll: partName(day, running, 1),
              lastRoll: partName(day, running, running.parts),
            },
          ]
        : [],
    );
  }

  get excludedRolls(): readonly string[] {
    return this.#body.excluded;
  }

  /** Whether somebody began to sum up the day and did not end. */
  isBegun(day: string): boolean {
    const { summed, open } = this.#of(day);
    return summed < open;
  }

  /** From now on lines go to an index of the next number; what is to be summed up does not count as sums yet. */
  async begin(day: string): Promise<Roll> {
    await this.#change((body) => {
      const known = body.days[day] ?? untouched;
      if (known.summed < known.open) return undefined;
      const excluded = [...body.excluded, rollName(day, known.open)];
      return { ...body, excluded, days: { ...body.days, [day]: { ...known, open: known.open + 1 } } };
    });
    const { first, open } = this.#of(day);
    return { day, name: rollName(day, open - 1), generations: generations(first, open) };
  }

  /** From now on the sums count, in place of the records and of earlier sums of the same records. */
  commit({ day, name, generations: of }: Roll): Promise<void> {
    const superseded = of.map((each) => rollName(day, each)).filter((each) => each !== name);
    const next = Number(name.split('-')[1]) + 1;
    return this.#change((body) => {
      const { running, ...known } = body.days[day] ?? untouched;
      // Another server was faster.
      if (known.summed >= next) return undefined;
      if (running) superseded.push(`${rollName(day, running.generation)}${partsSuffix}`);
      const excluded = [...body.excluded.filter((each) => each !== name), ...superseded];
      return {
        ...body,
        excluded: [...new Set(excluded)],
        days: { ...body.days, [day]: { ...known, summed: next } },
      };
    });
  }

  /**
   * What of an index is to be summed up next: what somebody began and did not end, or at least so many lines. Undefined while
   * there is too little, and once its day is summed up as a whole.
   */
  async beginPart(
    { day, generation, id: index_id, last }: NumberedIndex,
    linesMin: number,
  ): Promise<Part | undefined> {
    await this.#change((body) => {
      const known = body.days[day] ?? untouched;
      if (known.open !== generation) return undefined;
      const running =
        known.running?.index_id === index_id ? known.running : { generation, index_id, until: -1, parts: 0 };
      if (running.pending !== undefined || last - running.until < linesMin) return undefined;
      const pending = Math.min(last, running.until + partLinesMax);
      return { ...body, days: { ...body.days, [day]: { ...known, running: { ...running, pending } } } };
    });
    const { running, open } = this.#of(day);
    if (open !== generation || running?.index_id !== index_id || running.pending === undefined)
      return undefined;
    const name = partName(day, running, running.parts + 1);
    return { day, generation, name, after: running.until, until: running.pending };
  }

  /** From now on its sums count, in place of the lines. */
  commitPart({ day, name, until }: Part): Promise<void> {
    return this.#change((body) => {
      const known = body.days[day];
      const running = known?.running;
      if (!running || running.pending === undefined || partName(day, running, running.parts + 1) !== name)
        return undefined;
      const { generation, index_id, parts } = running;
      const next = { generation, index_id, until, parts: parts + 1 };
      return { ...body, days: { ...body.days, [day]: { ...known, running: next } } };
    });
  }

  /** Rolls that no longer count, and whose rows can be deleted. */
  get superseded(): string[] {
    return this.#body.excluded.filter((name) => {
      const [day = '', generation] = name.split('-');
      const { summed } = this.#of(day);
      return Number(generation) < summed;
    });
  }

  /** Their rows are gone. */
  forgetRolls(names: readonly string[]): Promise<void> {
    return this.#change((body) => ({
      ...body,
      excluded: body.excluded.filter((name) => !names.includes(name)),
    }));
  }

  /** The records of the day are about to be deleted; its sums stay. */
  dropRecords(day: string): Promise<void> {
    return this.#change((body) => {
      const known = body.days[day];
      if (!known) return undefined;
      return { ...body, days: { ...body.days, [day]: { ...known, first: known.open } } };
    });
  }

  /** Neither records nor sums are left of the days. */
  forget(days: readonly string[]): Promise<void> {
    return this.#change((body) => ({
      ...body,
      days: Object.fromEntries(Object.entries(body.days).filter(([day]) => !days.includes(day))),
    }));
  }

  /** Days that something is known of. */
  get known(): string[] {
    return Object.keys(this.#body.days);
  }

  #of(day: string): Day {
    return this.#body.days[day] ?? untouched;
  }

  async #change(work: (body: DaysBody) => DaysBody | undefined): Promise<void> {
    this.#body = await this.#state.change(id, empty, work);
  }
}

const generations = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
