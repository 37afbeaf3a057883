import type { HealthError } from '@breakwater/contract';
import { unjudged, type OriginHealth } from '@breakwater/policy/origin/health';
import type { Judgement, Question, Wanted, Watched } from './probe-check.ts';

/** One check under way: what is asked, for whom, and what came of it. */
export interface Target {
  readonly key: string;
  readonly question: Question;
  readonly judgement: Judgement;
  /** The origins it answers for, by place. None: it is no longer wanted. */
  readonly watched: Map<string, Watched>;
  health: OriginHealth;
  /** When the state began, and the last result came. */
  since: Date;
  checkedAt: Date | undefined;
  latencyMilliseconds: number;
  error: HealthError | undefined;
  /** Milliseconds of the clock that `performance.now` has. */
  dueAt: number;
  startedAt: number | undefined;
}

export interface Change {
  added: { target: Target; watched: Watched; isNew: boolean }[];
  removed: { target: Target; watched: Watched }[];
}

/** Which checks are wanted by which documents; the same check for many sites is one target. */
export class TargetSet {
  readonly #targets = new Map<string, Target>();
  /** By document, then by place. */
  readonly #byDocument = new Map<string, Map<string, Target>>();

  get size(): number {
    return this.#targets.size;
  }

  values(): IterableIterator<Target> {
    return this.#targets.values();
  }

  /** Brings the checks of a document to what is wanted now. What is asked as before keeps its health. */
  set(document: string, wanted: readonly Wanted[]): Change {
    const before = this.#byDocument.get(document) ?? new Map<string, Target>();
    const after = new Map<string, Target>();
    const change: Change = { added: [], removed: [] };
    for (const each of wanted) {
      const { place } = each.watched;
      if (after.has(place)) continue;
      const former = before.get(place);
      const key = JSON.stringify([each.question, each.judgement]);
      const isNew = !this.#targets.has(key);
      const target = this.#targets.get(key) ?? newTarget(key, each, former);
      this.#targets.set(key, target);
      target.watched.set(place, each.watched);
      after.set(place, target);
      if (former !== target) change.added.push({ target, watched: each.watched, isNew });
    }
    for (const [place, target] of before) {
      if (after.get(place) === target) continue;
      const watched = target.watched.get(place)!;
      target.watched.delete(place);
      if (target.watched.size === 0) this.#targets.delete(target.key);
      if (!after.has(place)) change.removed.push({ target, watched });
    }
    if (after.size > 0) this.#byDocument.set(document, after);
    else this.#byDocument.delete(document);
    return change;
  }
}

function newTarget(key: string, { question, judgement }: Wanted, former: Target | undefined): Target {
  const isSame = former !== undefined && JSON.stringify(former.question) === JSON.stringify(question);
  return {
    key,
    question,
    judgement,
    watched: new Map(),
    health: isSame ? former.health : unjudged,
    since: isSame ? former.since : new Date(),
    checkedAt: isSame ? former.checkedAt : undefined,
    latencyMilliseconds: isSame ? former.latencyMilliseconds : 0,
    error: isSame ? former.error : undefined,
    dueAt: 0,
    startedAt: undefined,
  };
}
