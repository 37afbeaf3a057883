import {
  allCounters,
  bucketOf,
  invalidate,
  tagCounters,
  tagMarks,
  tagSetCount,
  tagSets,
  tagSetWords,
  tagVersion,
} from './generations.ts';

/**
 * Tags (surrogate keys), by which answers of a site are refreshed together, whatever their URLs. An origin names them with each answer
 * that is stored; the next request of that target has their counters in its key.
 *
 * A set holds the tags of all targets whose hashes agree on it. It only grows, so the sum of its counters never goes down, and
 * no old key comes back. One that is full stands under every tag of the site: a needless miss, never a stale answer.
 */
const locks = ngx.shared.edge_uses;
/** For a worker that was killed between taking it and giving it back. */
const lockSeconds = 1;
/** A set: how many tags it holds, whether it is full, and the tags. */
const headWords = 2;
const tagsMax = tagSetWords - headWords;

/** Of most sites no tag was ever counted up, and nobody need look at the sets. */
export function hasOldTags(slot: number, kind: number): boolean {
  return allCounters()[(tagMarks + slot + kind) as 0] !== 0;
}

/**
 * What a worker summed up, by set, and the stamp under which that holds: nothing was counted up since, of whatever site, and the set has
 * as many tags. To read a counter costs more than all the rest, and a hit would read two for each tag.
 */
let stamps: Record<number, number> = {};
let sums: Record<number, number> = {};
let sumsHeld = 0;
const sumsMax = 10_000;

export function generationOfTags(slot: number, bucket: number, kind: number): number {
  const counters = allCounters();
  const set = setOf(bucket);
  const count = counters[set as 0];
  const ofAll = counters[(set + 1) as 0] === 0 ? 0 : counters[(tagMarks + slot + kind) as 0];
  if (count === 0) return ofAll;
  const stamp = counters[(tagVersion + kind) as 0] * tagSetWords + count;
  return ofAll + (stamps[set + kind] === stamp ? sums[set + kind]! : sumUp(set, kind, count, stamp));
}

/** By a stamp that was read before the counters: what is counted up meanwhile has it summed up again. */
function sumUp(set: number, kind: number, count: number, stamp: number): number {
  const counters = allCounters();
  let sum = 0;
  for (let index = 0; index < count; index++)
    sum += counters[(tagCounters + counters[(set + headWords + index) as 0] + kind) as 0];
  const name = set + kind;
  if (stamps[name] === undefined) {
    sumsHeld += 1;
    if (sumsHeld > sumsMax) {
      sumsHeld = 1;
      stamps = {};
      sums = {};
    }
  }
  stamps[name] = stamp;
  sums[name] = sum;
  return sum;
}

/**
 * The tag first: a version or a mark without its tag says nothing. No other counter is changed in between, so that no worker
 * ever adds to a sum of before what came after.
 */
export function invalidateTag(siteKey: string, slot: number, tag: string, kind: number): void {
  for (const counter of [tagCounters + counterOf(siteKey, tag), tagVersion, tagMarks + slot])
    invalidate(counter, kind);
}

/** The tags of an answer that is kept, for who asks for it next. */
export function recordTags(siteKey: string, bucket: number, tags: readonly string[]): void {
  const set = setOf(bucket);
  const missing = missingIn(set, siteKey, tags);
  if (missing.length === 0) return;
  const counters = allCounters();
  const lock = `tags ${set}`;
  // Another worker is adding to it: not to wait is worth a needless miss later.
  const [isMine] = locks.add(lock, 1, lockSeconds);
  if (!isMine) {
    counters[(set + 1) as 0] = 1;
    return;
  }
  // What was added meanwhile is asked for again.
  for (const counter of missingIn(set, siteKey, tags)) {
    const count = counters[set as 0];
    if (count === tagsMax) {
      counters[(set + 1) as 0] = 1;
      break;
    }
    counters[(set + headWords + count) as 0] = counter;
    counters[set as 0] = count + 1;
  }
  locks.delete(lock);
}

/** As an origin names them: by commas in `Cache-Tag`, by spaces in `Surrogate-Key`; in lower case. More than a set holds is not read. */
export function readTags(cacheTag: string | undefined, surrogateKey: string | undefined): string[] {
  const tags: string[] = [];
  addTags(tags, cacheTag, '[^,]+');
  addTags(tags, surrogateKey, '[^ ]+');
  return tags;
}

function addTags(tags: string[], field: string | undefined, pattern: string): void {
  if (field === undefined) return;
  for (const [part] of string.gmatch(field, pattern)) {
    const [tag] = string.match(part!, '^%s*(.-)%s*$');
    if (tag !== undefined && tag !== '') tags.push(string.lower(tag));
    if (tags.length > tagsMax) return;
  }
}

function missingIn(set: number, siteKey: string, tags: readonly string[]): number[] {
  const counters = allCounters();
  if (counters[(set + 1) as 0] !== 0) return [];
  const held: Record<number, boolean> = {};
  const count = counters[set as 0];
  for (let index = 0; index < count; index++) held[counters[(set + headWords + index) as 0]] = true;
  const missing: number[] = [];
  for (const tag of tags) {
    const counter = counterOf(siteKey, tag);
    if (held[counter] !== true) missing.push(counter);
    held[counter] = true;
  }
  return missing;
}

const setOf = (bucket: number): number => tagSets + (bucket % tagSetCount) * tagSetWords;

const counterOf = (siteKey: string, tag: string): number => bucketOf(`${siteKey} ${tag} tag`);
