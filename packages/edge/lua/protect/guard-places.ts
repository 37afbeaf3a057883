import type { CcGuardianRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import {
  calmPlace,
  stepPlace,
  type GuardLoad,
  type GuardPlace,
  type GuardStep,
} from '@breakwater/policy/protect/guard-escalation';
import { decodeJson, encodeJson } from '../lib/json.ts';
import { noteReport, takeReports } from '../lib/reports.ts';
import { countedIn, countIn, forgetIn, isTurn } from './guard-counts.ts';

/**
 * Where this node is under attack: sites, and URLs of them, with their levels. What is calm stands nowhere. Each step is told to the
 * control plane.
 */

const places = ngx.shared.edge_guard_places;
const steps = ngx.shared.edge_guard_steps;

/** Of one site; with more the whole site is under attack. */
const urlsMax = 50;
/** Over which a rate is taken. */
const windowSeconds = 5;
const pathBytesMax = 200;

interface HeldPlace extends GuardPlace {
  reason: string;
  path: string;
}

/** `url`: short for a path; empty: the site. */
export const placeName = (siteKey: string, url: string): string => `at ${siteKey} ${url}`;

export function placeAt(name: string): HeldPlace | undefined {
  const text = places.get(name) as string | undefined;
  return text === undefined ? undefined : (decodeJson(text)[0] as HeldPlace);
}

/** One of each request that comes, and of each that passed; gives the first back as a rate. */
export const countArrival = (name: string, now: number): number =>
  countIn(`came ${name}`, windowSeconds, now) / windowSeconds;

export function countPassed(name: string, now: number): void {
  countIn(`passed ${name}`, windowSeconds, now);
}

export function countOriginAnswer(name: string, isError: boolean, milliseconds: number, now: number): void {
  countIn(`answers ${name}`, windowSeconds, now);
  if (isError) countIn(`errors ${name}`, windowSeconds, now);
  if (milliseconds > 0) countIn(`time ${name}`, windowSeconds, now, milliseconds);
}

function loadOf(name: string, now: number): GuardLoad {
  const counted = (what: string) => countedIn(`${what} ${name}`, windowSeconds, now);
  return {
    requests: counted('came') / windowSeconds,
    passed: counted('passed') / windowSeconds,
    answers: counted('answers'),
    errors: counted('errors'),
    milliseconds: counted('time'),
    seconds: windowSeconds,
  };
}

/** Looks at a place, once a second at most, and has it step where it has to. */
export function judgePlace(
  siteKey: string,
  url: string,
  path: string,
  settings: CcGuardianRule,
  now: number,
): void {
  const name = placeName(siteKey, url);
  if (!isTurn(name)) return;
  const held = placeAt(name);
  const place: GuardPlace = held ?? calmPlace(now);
  const step = stepPlace(place, loadOf(name, now), settings, url !== '', now);
  if (step === undefined) {
    if (held !== undefined) keepPlace(name, place, held.reason, held.path);
    return;
  }
  if (url !== '' && step.from === 0 && places.incr(`urls ${siteKey}`, 1, 0)! > urlsMax) {
    stepForUrls(siteKey, now);
    return;
  }
  // The next is judged by what comes under this level alone.
  for (const what of ['passed', 'answers', 'errors', 'time']) forgetIn(`${what} ${name}`, windowSeconds, now);
  const shown = string.sub(path, 1, pathBytesMax);
  if (step.level > 0) keepPlace(name, place, step.reason, shown);
  else places.delete(name);
  noteStep(siteKey, shown, step, now);
}

function stepForUrls(siteKey: string, now: number): void {
  places.incr(`urls ${siteKey}`, -1, 0);
  const name = placeName(siteKey, '');
  if (placeAt(name) !== undefined) return;
  keepPlace(name, { level: 1, since: now, busy: now }, 'urls', '');
  noteStep(siteKey, '', { reason: 'urls', value: urlsMax + 1, limit: urlsMax, level: 1, from: 0 }, now);
}

function keepPlace(name: string, { level, since, busy }: GuardPlace, reason: string, path: string): void {
  const held: HeldPlace = { level, since, busy, reason, path };
  places.safe_set(name, encodeJson(held));
}

export function listPlaces(): { name: string; siteKey: string; url: string }[] {
  const found: { name: string; siteKey: string; url: string }[] = [];
  for (const name of places.get_keys(0)) {
    const [siteKey, url] = string.match(name, '^at (%d+) (%w*)$');
    if (siteKey !== undefined) found.push({ name, siteKey, url: url! });
  }
  return found;
}

/** How many URLs of each site are under attack, as counted now: a worker that died amid a step may have left another number. */
export function recountUrls(counted: Record<string, number>): void {
  for (const name of places.get_keys(0)) {
    const [siteKey] = string.match(name, '^urls (%d+)$');
    if (siteKey !== undefined && counted[siteKey] === undefined) places.delete(name);
  }
  for (const siteKey in counted) places.set(`urls ${siteKey}`, counted[siteKey]);
}

/** Of a site that is no longer guarded. */
export function dropPlace(name: string, siteKey: string, now: number): void {
  const held = placeAt(name);
  places.delete(name);
  if (held === undefined) return;
  noteStep(siteKey, held.path, { reason: 'off', value: 0, limit: 0, level: 0, from: held.level }, now);
}

function noteStep(siteKey: string, path: string, step: GuardStep, now: number): void {
  const { level, from, reason } = step;
  const [value, limit] = [math.ceil(step.value), math.floor(step.limit)];
  const told = { site_id: tonumber(siteKey), at: math.floor(now), path, level, from, reason, value, limit };
  noteReport(steps, encodeJson(told));
}

export function takeSteps(told: number, max: number): { steps: string; last: number } {
  const { lines, last } = takeReports(steps, told, max);
  return { steps: lines, last };
}
