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

/** The sums of a day that are to be written: under which name, and of which numbers of its indices. */
export interface Roll {
  day: string;
  name: string;
  generations: number[];
}

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

  /** All indices whose lines are in the sums. */
  get summedIndices(): string[] {
    return Object.entries(this.#body.days).flatMap(([day, { first, summed }]) =>
      generations(first, summed).map((each) => this.#names.records(day, each)),
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
      const { first, summed, open } = body.days[day] ?? untouched;
      if (summed < open) return undefined;
      const excluded = [...body.excluded, rollName(day, open)];
      return { ...body, excluded, days: { ...body.days, [day]: { first, summed, open: open + 1 } } };
    });
    const { first, open } = this.#of(day);
    return { day, name: rollName(day, open - 1), generations: generations(first, open) };
  }

  /** From now on the sums count, in place of the records and of earlier sums of the same records. */
  commit({ day, name, generations: of }: Roll): Promise<void> {
    const superseded = of.map((each) => rollName(day, each)).filter((each) => each !== name);
    return this.#change((body) => {
      const known = body.days[day]!;
      const excluded = [...body.excluded.filter((each) => each !== name), ...superseded];
      return {
        ...body,
        excluded: [...new Set(excluded)],
        days: { ...body.days, [day]: { ...known, summed: known.open } },
      };
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
