/** Indices: records by the day, their sums by the month, and one of what the store must remember. */

const dayMs = 24 * 3_600_000;
/** Beyond this a question names no days: its address would grow too long. */
const namedDaysMax = 31;

/** `2026.03.01`, in UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '.');
const startOfDay = (day: string): number => Date.parse(`${day.replaceAll('.', '-')}T00:00:00Z`);
export const endOfDay = (day: string): number => startOfDay(day) + dayMs;
/** The day that a range lies in, if it does not reach beyond one. */
export const onlyDay = ({ start, end }: { start: number; end: number }): string | undefined =>
  dayOf(start) === dayOf(end - 1) ? dayOf(start) : undefined;
const monthOf = (day: string): string => day.slice(0, 7);

export class Names {
  readonly #prefix: string;
  constructor(prefix: string) {
    this.#prefix = prefix;
  }
  /** Lines that arrive after their day was summed up go to an index of the next number. */
  records = (day: string, generation: number): string => `${this.#prefix}-log-${day}-${generation}`;
  /** All of a day. How many these become depends on how long its last lines are in coming: too many to name each in an address. */
  recordsOf = (day: string): string => `${this.#prefix}-log-${day}-*`;
  figures = (day: string): string => `${this.#prefix}-figures-${monthOf(day)}`;
  get state(): string {
    return `${this.#prefix}-state`;
  }
  get allRecords(): string {
    return `${this.#prefix}-log-*`;
  }
  /** Not those of an installation whose prefix begins with ours. */
  get all(): string {
    return `${this.allRecords},${this.allFigures},${this.state}`;
  }
  get allFigures(): string {
    return `${this.#prefix}-figures-*`;
  }

  /** Day and number of an index of records. */
  readRecords(index: string): { day: string; generation: number } | undefined {
    const found = /-log-(\d{4}\.\d\d\.\d\d)-(\d+)$/.exec(index);
    return found ? { day: found[1]!, generation: Number(found[2]) } : undefined;
  }

  /** The indices of records that a range can have to do with. */
  recordsIn(start: number, end: number): string {
    const days = Math.ceil((end - start) / dayMs) + 1;
    if (days > namedDaysMax || !Number.isFinite(days)) return this.allRecords;
    const names: string[] = [];
    for (let time = start; time < end + dayMs; time += dayMs)
      if (startOfDay(dayOf(time)) < end) names.push(this.recordsOf(dayOf(time)));
    return names.join(',');
  }

  figuresIn(start: number, end: number): string {
    const months = new Set<string>();
    for (let time = start; time < end + dayMs && months.size <= 12; time += dayMs)
      if (startOfDay(dayOf(time)) < end) months.add(this.figures(dayOf(time)));
    return months.size > 12 ? this.allFigures : [...months].join(',');
  }
}
