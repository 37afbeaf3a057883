import { parsePattern, type ByteSet, type PatternNode } from './pattern.ts';

/**
 * Matches the patterns of `pattern.ts` where nginx does not run: all ways through a pattern are followed at once, byte by
 * byte, so the time is bounded by the lengths of both, whatever they are (K. Thompson, 1968). It answers as PCRE does.
 */

export type Step =
  | { kind: 'bytes'; set: ByteSet }
  /** The first of them is what is tried first. */
  | { kind: 'split'; to: number[] }
  /** Where a group begins, at an even slot, or ends. */
  | { kind: 'mark'; slot: number }
  | { kind: 'look'; start: number; negated: boolean }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'inside' }
  | { kind: 'done' };

const remembered = new Map<string, Step[] | undefined>();
const rememberedMax = 500;

/** Both are byte strings. What is no accepted pattern matches nothing. */
export function matchPattern(subject: string, pattern: string, isFolded: boolean): boolean {
  const steps = stepsOf(pattern, isFolded);
  return steps !== undefined && run(steps, subject, 0, 0, true);
}

/** Nothing for what is no accepted pattern. */
export function stepsOf(pattern: string, isFolded: boolean): Step[] | undefined {
  const name = `${isFolded ? 'i' : '-'}${pattern}`;
  if (remembered.has(name)) return remembered.get(name);
  const { node } = parsePattern(pattern, isFolded);
  let steps: Step[] | undefined;
  if (node !== undefined) {
    steps = [];
    add(node, steps);
    steps.push({ kind: 'done' });
  }
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(name, steps);
  return steps;
}

/** Appends the steps of a node; what comes after it stands behind them. */
function add(node: PatternNode, steps: Step[]): void {
  if (node.kind === 'sequence') {
    if (node.group !== undefined) steps.push({ kind: 'mark', slot: node.group * 2 });
    for (const item of node.items) add(item, steps);
    if (node.group !== undefined) steps.push({ kind: 'mark', slot: node.group * 2 + 1 });
  } else if (node.kind === 'choice') addChoice(node.items, steps);
  else if (node.kind === 'repeat') addRepeat(node, steps);
  else if (node.kind === 'look') {
    const look: Step = { kind: 'look', start: steps.length + 2, negated: node.negated };
    const skip: Step = { kind: 'split', to: [] };
    steps.push(look, skip);
    add(node.item, steps);
    steps.push({ kind: 'done' });
    skip.to.push(steps.length);
  } else steps.push(node);
}

function addChoice(items: PatternNode[], steps: Step[]): void {
  const fork: Step = { kind: 'split', to: [] };
  steps.push(fork);
  const ends: { kind: 'split'; to: number[] }[] = [];
  for (const item of items) {
    fork.to.push(steps.length);
    add(item, steps);
    const end: Step = { kind: 'split', to: [] };
    steps.push(end);
    ends.push(end);
  }
  for (const end of ends) end.to.push(steps.length);
}

function addRepeat(repeat: PatternNode & { kind: 'repeat' }, steps: Step[]): void {
  const { item, min, max, isLazy } = repeat;
  for (let count = 0; count < min; count++) add(item, steps);
  if (max === Infinity) {
    const fork: Step = { kind: 'split', to: [] };
    const start = steps.push(fork) - 1;
    fork.to.push(steps.length);
    add(item, steps);
    steps.push({ kind: 'split', to: [start] });
    fork.to.push(steps.length);
    if (isLazy) fork.to.reverse();
    return;
  }
  const forks: { kind: 'split'; to: number[] }[] = [];
  for (let count = min; count < max; count++) {
    const fork: Step = { kind: 'split', to: [steps.length + 1] };
    steps.push(fork);
    forks.push(fork);
    add(item, steps);
  }
  for (const fork of forks) {
    fork.to.push(steps.length);
    if (isLazy) fork.to.reverse();
  }
}

/** From a step and a position on; `isFree`: a match may begin at any later position too. */
function run(steps: Step[], subject: string, start: number, from: number, isFree: boolean): boolean {
  const seen = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  for (let at = from; at <= subject.length; at++) {
    const next: number[] = [];
    const code = subject.charCodeAt(at);
    if ((isFree || at === from) && follow(steps, start, subject, at, seen, current)) return true;
    for (const place of current) {
      const step = steps[place]!;
      if (step.kind !== 'bytes' || at === subject.length || step.set[code] !== true) continue;
      if (follow(steps, place + 1, subject, at + 1, seen, next)) return true;
    }
    if (next.length === 0 && !isFree) return false;
    current = next;
  }
  return false;
}

/** All steps that are reached without a byte; true: the end is among them. */
function follow(
  steps: Step[],
  start: number,
  subject: string,
  at: number,
  seen: Int32Array,
  into: number[],
): boolean {
  const open = [start];
  while (open.length > 0) {
    const place = open.pop()!;
    if (seen[place] === at) continue;
    seen[place] = at;
    const step = steps[place]!;
    if (step.kind === 'done') return true;
    if (step.kind === 'bytes') into.push(place);
    else if (step.kind === 'split') open.push(...step.to);
    else if (step.kind === 'mark') open.push(place + 1);
    else if (step.kind === 'edge' ? isAtEdge(step.edge, subject, at) : looks(steps, step, subject, at))
      open.push(place + 1);
  }
  return false;
}

function looks(
  steps: Step[],
  step: { start: number; negated: boolean },
  subject: string,
  at: number,
): boolean {
  return run(steps, subject, step.start, at, false) !== step.negated;
}

export function isAtEdge(edge: 'start' | 'end' | 'word' | 'inside', subject: string, at: number): boolean {
  if (edge === 'start') return at === 0;
  // Before a line feed at the end too, as PCRE has it.
  if (edge === 'end')
    return at === subject.length || (at === subject.length - 1 && subject.charCodeAt(at) === 10);
  return (isWordAt(subject, at - 1) !== isWordAt(subject, at)) === (edge === 'word');
}

function isWordAt(subject: string, at: number): boolean {
  return at >= 0 && at < subject.length && /\w/.test(subject[at]!);
}
