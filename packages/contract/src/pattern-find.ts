import { isAtEdge, stepsOf, type Step } from './pattern-match.ts';

/**
 * Where a pattern matches, and what its groups hold: the match that PCRE finds, which goes through a pattern's choices in
 * their order and takes the first that leads to the end. All of them are followed at once, in that order, so the time is
 * bounded as it is for `matchPattern` (R. Pike's matcher, after K. Thompson).
 */

export interface PatternMatch {
  start: number;
  end: number;
  /** Nine; '' for one that took no part. */
  groups: string[];
}

const groupsMax = 9;
/** Where the match and each of its groups begin and end; -1: nowhere. */
type Slots = readonly number[];
const unset: Slots = Array.from({ length: 2 * (groupsMax + 1) }, () => -1);

/** The first match at or after `from`. Both texts are byte strings. What is no accepted pattern matches nothing. */
export function findPattern(
  subject: string,
  pattern: string,
  isFolded: boolean,
  from: number,
): PatternMatch | undefined {
  const steps = stepsOf(pattern, isFolded);
  const found = steps && new Search(steps, subject).run(0, from, unset, true);
  if (found === undefined) return undefined;
  const groups: string[] = [];
  for (let group = 1; group <= groupsMax; group++) {
    const [start, end] = [found[2 * group]!, found[2 * group + 1]!];
    groups.push(start < 0 || end < start ? '' : subject.slice(start, end));
  }
  return { start: found[0]!, end: found[1]!, groups };
}

interface Way {
  place: number;
  slots: Slots;
}

class Search {
  readonly #steps: Step[];
  readonly #subject: string;

  constructor(steps: Step[], subject: string) {
    this.#steps = steps;
    this.#subject = subject;
  }

  /** `isFree`: the match may begin at any later position too. */
  run(start: number, from: number, slots: Slots, isFree: boolean): Slots | undefined {
    const seen = new Int32Array(this.#steps.length).fill(-1);
    let found: Slots | undefined;
    let current: Way[] = [];
    for (let at = from; at <= this.#subject.length; at++) {
      if (found === undefined && (isFree || at === from))
        this.#follow(start, at, withSlot(slots, 0, at), seen, current);
      const next: Way[] = [];
      const code = this.#subject.charCodeAt(at);
      for (const { place, slots: held } of current) {
        const step = this.#steps[place]!;
        if (step.kind === 'done') {
          // What stands behind it would be tried only if this one failed.
          found = withSlot(held, 1, at);
          break;
        }
        if (step.kind === 'bytes' && at < this.#subject.length && step.set[code] === true)
          this.#follow(place + 1, at + 1, held, seen, next);
      }
      if (next.length === 0 && (found !== undefined || !isFree)) break;
      current = next;
    }
    return found;
  }

  /** All steps that are reached without a byte, in the order in which they would be tried. */
  #follow(place: number, at: number, slots: Slots, seen: Int32Array, into: Way[]): void {
    if (seen[place] === at) return;
    seen[place] = at;
    const step = this.#steps[place]!;
    if (step.kind === 'bytes' || step.kind === 'done') into.push({ place, slots });
    else if (step.kind === 'split') for (const to of step.to) this.#follow(to, at, slots, seen, into);
    else if (step.kind === 'mark') this.#follow(place + 1, at, withSlot(slots, step.slot, at), seen, into);
    else if (step.kind === 'edge') {
      if (isAtEdge(step.edge, this.#subject, at)) this.#follow(place + 1, at, slots, seen, into);
    } else {
      const ahead = this.run(step.start, at, slots, false);
      if ((ahead === undefined) !== step.negated) return;
      this.#follow(place + 1, at, step.negated ? slots : keepEnds(ahead!, slots), seen, into);
    }
  }
}

function withSlot(slots: Slots, slot: number, at: number): Slots {
  return slot >= slots.length ? slots : slots.with(slot, at);
}

/** What groups took while looking ahead is kept, and nothing else of it. */
const keepEnds = (ahead: Slots, slots: Slots): Slots => ahead.with(0, slots[0]!).with(1, slots[1]!);
