/** What visitors did and met, by the worker that they are in. */
export interface Complaint {
  /** `answer`: not what it should have been. `dropped`: none, or not all of it. */
  kind: 'answer' | 'dropped';
  /** Of an answer that is an error of a gateway. */
  status?: number;
  what: string;
  /** Milliseconds since 1970, as its end. */
  began: number;
  ended: number;
}

export interface Report {
  complaints: Complaint[];
  counts: Record<string, number>;
  /** Each request by its number. */
  answered: string[];
  /** Those that may be in the log or not: no answer came. */
  unanswered: string[];
}

export class Diary {
  readonly complaints: Complaint[] = [];
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #answered: string[] = [];
  #last = 0;

  /** For one request, unlike any other. */
  number(): string {
    const number = `t${(this.#last += 1)}`;
    this.#open.add(number);
    return number;
  }

  answered(number: string): void {
    if (this.#open.delete(number)) this.#answered.push(number);
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  report(): Report {
    return {
      complaints: this.complaints,
      counts: Object.fromEntries(this.#counts),
      answered: this.#answered,
      unanswered: [...this.#open],
    };
  }
}
