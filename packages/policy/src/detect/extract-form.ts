import { decodePercent } from './decode-bytes.ts';
import { isPlain } from './decode-text.ts';
import type { Part, Place } from './types.ts';

/** Where parts are collected; how many and how deep is limited. */
export interface Collected {
  parts: Part[];
  capped: string[];
  /** Texts of JSON that were found harmless are left out. */
  isOfUnknown?: boolean;
  /** Numbers, `true` and `false` of JSON are parts, too. */
  withLiterals?: boolean;
}

export const partsMax = 2000;

export function addPart(into: Collected, part: Part): void {
  if (part.value === '') return;
  if (into.parts.length >= partsMax) {
    addOnce(into.capped, 'parts');
    return;
  }
  into.parts.push(part);
}

export function addOnce(list: string[], text: string): void {
  for (const each of list) if (each === text) return;
  list.push(text);
}

/** The fields of a query or a form. Of one that stands several times, also all values joined, as some software reads them. */
export function addFields(into: Collected, place: Place, text: string): void {
  const first = into.parts.length;
  let start = 0;
  while (start <= text.length && into.parts.length < partsMax) {
    let stop = text.indexOf('&', start);
    if (stop < 0) stop = text.length;
    if (stop > start) addField(into, place, text.substring(start, stop));
    start = stop + 1;
  }
  if (start <= text.length) addOnce(into.capped, 'parts');
  addJoined(into, first);
}

export function addField(into: Collected, place: Place, field: string): void {
  const equals = field.indexOf('=');
  const name = decodePercent(equals < 0 ? '' : field.substring(0, equals), true);
  const value = decodePercent(equals < 0 ? field : field.substring(equals + 1), true);
  const steps = ['url'];
  addPart(into, { place, name, value, isName: false, steps });
  if (!isPlain(name)) addPart(into, { place, name, value: name, isName: true, steps });
}

const joinedMax = 64;

function addJoined(into: Collected, first: number): void {
  const byName: Record<string, number> = {};
  const count = into.parts.length;
  for (let index = first; index < count && index < first + joinedMax; index++) {
    const part = into.parts[index]!;
    if (part.isName || part.name === '') continue;
    const key = `=${part.name}`;
    const earlier = byName[key];
    if (earlier === undefined) {
      byName[key] = index;
      continue;
    }
    const before = into.parts[earlier];
    if (before === undefined) return;
    // The first of a name that stands again takes the others in, behind a comma.
    const joined = earlier >= count ? before : { ...before, steps: [...before.steps, 'joined'] };
    joined.value = `${before.value},${part.value}`;
    if (earlier >= count) continue;
    byName[key] = into.parts.length;
    addPart(into, joined);
  }
}
