import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { cacheKey, foldersOf } from '@breakwater/policy/cache/key';
import { matchCacheRule, type PreparedRule } from '@breakwater/policy/cache/rule';
import { findByHost } from '@breakwater/policy/http/host';
import { splitTarget } from '@breakwater/policy/http/path';
import { readTarget } from '@breakwater/policy/http/request-path';
import { epoch as currentEpoch } from '../documents/epoch.ts';
import * as store from '../documents/store.ts';
import { choicesOf, choose, type ConditionalRules, type RuleChoice } from '../front/conditional-rules.ts';
import {
  asked,
  bucketOf,
  everything,
  generationOf,
  generationOfFolder,
  generationOfSite,
  gone,
  hasAsked,
  hasOldFolders,
} from '../front/generations.ts';
import { keyUnderRule } from '../front/cache-key.ts';
import { guardOf, type Guard } from '../front/guard.ts';
import { generationOfTags, hasOldTags } from '../front/tags.ts';
import { decideRewriting, type Rewriting, type Rewritten } from '../front/rewriting.ts';
import { drop, heldOf, holding, keep } from '@breakwater/policy/lib/holding';
import { matchRegex } from '../lib/regex.ts';
import type { ChosenCertificates } from '../tls/tls.ts';
import { loadSite, type Site } from './site.ts';
import { pageOf } from './status-page.ts';

/**
 * A host, and what was decided for targets under it. Cache keys are kept by target, as bare text, since every hit looks
 * one up; what a rule sends around the cache is the exception and stands apart.
 */
export interface HostEntry {
  site: Site;
  epoch: number;
  host: string;
  /** In cache keys: the host, and the port too where origins are asked at the port that the visitor chose. */
  authority: string;
  /** The same host at each port, where that matters. */
  ports: Record<string, HostEntry> | undefined;
  /** The page shown instead of the site, if any. */
  page: string | undefined;
  /** What it asks of HTTPS before a request is answered, if anything. */
  guard: Guard | undefined;
  /** What it shows in handshakes. */
  certificates: ChosenCertificates | undefined;
  targets: Targets;
  /** Of the time before; what is asked for again comes back from there. */
  older: Targets | undefined;
}

/** What was decided for targets under a host. */
interface Targets {
  http: Record<string, string>;
  https: Record<string, string>;
  /** The counter of a target (see `generations.ts`), of both schemes. */
  buckets: Record<string, number>;
  /** The counters of the folders that a target lies in, where any of the site was ever counted up. */
  folders: Record<string, number[]> | undefined;
  /** Keys that a rule sends around the cache, where any does. */
  bypassed: Record<string, boolean> | undefined;
  /** The rules of targets: at 0 under no rule. */
  rules: Record<string, PreparedRule | 0> | undefined;
  /** What rewriting made of targets, by scheme and target, where the site has any. */
  rewritten: Record<string, Rewritten> | undefined;
  /** The rules that may apply to targets, where conditions choose among them. */
  choices: Record<string, RuleChoice[]> | undefined;
  /** Until when a target is asked for whole, where its origin gives no parts that fit together. */
  wholes: Record<string, number> | undefined;
  count: number;
}

/** Targets of one generation that a worker remembers, and the longest of one: some 10 MB at most, whatever is asked. */
const targetsMax = 10_000;
const targetBytesMax = 512;

/** A wildcard site does not fill the memory with names. */
const entries = holding<HostEntry>(10_000);
let targetsHeld = 0;
/** Where there are targets of this generation, and of the one before. */
let filled: HostEntry[] = [];
let filledBefore: HostEntry[] = [];

const noTargets = (): Targets => ({
  http: {},
  https: {},
  buckets: {},
  folders: undefined,
  bypassed: undefined,
  rules: undefined,
  rewritten: undefined,
  choices: undefined,
  wholes: undefined,
  count: 0,
});

/** The site that answers to a host (lower case, no port), or nothing. Held until any document changes. */
export function entryOf(host: string): HostEntry | undefined {
  const epoch = currentEpoch();
  const held = entries.younger[host];
  if (held !== undefined && held.epoch === epoch) return held;
  return refresh(host, epoch, heldOf(entries, host));
}

function refresh(host: string, epoch: number, held: HostEntry | undefined): HostEntry | undefined {
  const key = findByHost(host, store.siteOfDomain);
  const site = key === undefined ? undefined : loadSite(key);
  if (site === undefined) {
    drop(entries, host);
    return undefined;
  }
  if (held !== undefined && held.site === site) {
    held.epoch = epoch;
    return held;
  }
  const page = pageOf(site.document, host) ?? (site.closing && 'maintenance');
  const entry = makeEntry(site, epoch, host, host, page);
  keep(entries, host, entry);
  return entry;
}

function makeEntry(
  site: Site,
  epoch: number,
  host: string,
  authority: string,
  page: string | undefined,
): HostEntry {
  return {
    site,
    epoch,
    host,
    authority,
    ports: site.origins.follow_port ? {} : undefined,
    page,
    guard: guardOf(site, host),
    certificates: undefined,
    targets: noTargets(),
    older: undefined,
  };
}

/** What was decided for a host at one of its ports; for most sites ports make no difference. */
export function entryAtPort(entry: HostEntry, port: string): HostEntry {
  if (entry.ports === undefined) return entry;
  const { site, epoch, host, page } = entry;
  entry.ports[port] ??= makeEntry(site, epoch, host, `${host}:${port}`, page);
  return entry.ports[port];
}

/** The cache key of a target (path and query as the visitor sent them). */
export function keyOf(entry: HostEntry, scheme: string, target: string): string {
  const { targets } = entry;
  const known = scheme === 'https' ? targets.https : targets.http;
  return known[target] ?? rememberOlder(entry, scheme, target) ?? decide(entry, scheme, target);
}

/** What was judged when it got its key is not judged again. */
export function isKeyKnown({ targets }: HostEntry, scheme: string, target: string): boolean {
  return (scheme === 'https' ? targets.https : targets.http)[target] !== undefined;
}

/** The rule says of this key that it goes around the cache. */
export function isBypassed({ targets }: HostEntry, key: string): boolean {
  return targets.bypassed !== undefined && targets.bypassed[key] === true;
}

function rememberOlder(entry: HostEntry, scheme: string, target: string): string | undefined {
  const { older } = entry;
  if (older === undefined) return undefined;
  const key = (scheme === 'https' ? older.https : older.http)[target];
  if (key === undefined) return undefined;
  const targets = countTarget(entry);
  (scheme === 'https' ? targets.https : targets.http)[target] = key;
  targets.buckets[target] = older.buckets[target]!;
  const rule = older.rules?.[target];
  if (rule !== undefined) {
    targets.rules ??= {};
    targets.rules[target] = rule;
  }
  if (older.bypassed?.[key] === true) noteBypass(entry, key);
  return key;
}

function preparedRuleOf(entry: HostEntry, target: string): PreparedRule | undefined {
  if (entry.site.conditional !== undefined) return choiceOf(entry, entry.site.conditional, target).rule;
  return matchCacheRule(entry.site.rules, readTarget(target), matchRegex);
}

/** The same for every request of a target, and so remembered with its key. */
export function rememberedRuleOf(entry: HostEntry, target: string): PreparedRule | undefined {
  const known = entry.targets.rules?.[target];
  if (known !== undefined) return known === 0 ? undefined : known;
  const rule = preparedRuleOf(entry, target);
  if (target.length > targetBytesMax || entry.site.conditional !== undefined) return rule;
  const targets = countTarget(entry);
  targets.rules ??= {};
  targets.rules[target] = rule ?? 0;
  return rule;
}

/** The same for every request of one target, unless it says that it is not. */
export function rewrittenOf(
  entry: HostEntry,
  rewriting: Rewriting,
  scheme: string,
  target: string,
): Rewritten {
  const place = scheme === 'https' ? target : ` ${target}`;
  const known = entry.targets.rewritten?.[place];
  if (known !== undefined) return known;
  const rewritten = decideRewriting(rewriting, scheme, entry.host, target);
  if (rewritten.isPersonal || target.length > targetBytesMax) return rewritten;
  const targets = countTarget(entry);
  targets.rewritten ??= {};
  targets.rewritten[place] = rewritten;
  return rewritten;
}

/** Conditions are asked anew for each request, so by target only their rules are remembered. */
function choiceOf(entry: HostEntry, conditional: ConditionalRules, target: string): RuleChoice {
  let choices = entry.targets.choices?.[target];
  if (choices === undefined) {
    choices = choicesOf(conditional, entry.site.key, entry.authority, target);
    if (target.length <= targetBytesMax) {
      const targets = countTarget(entry);
      targets.choices ??= {};
      targets.choices[target] = choices;
    }
  }
  return choose(choices);
}

export function isWhole(entry: HostEntry, target: string): boolean {
  const until = entry.targets.wholes?.[target];
  return until !== undefined && until > ngx.now();
}

/** From now on, until then, a target is asked for whole. */
export function askWhole(entry: HostEntry, target: string, until: number): void {
  const targets = entry.targets.wholes?.[target] === undefined ? countTarget(entry) : entry.targets;
  targets.wholes ??= {};
  targets.wholes[target] = until;
}

function decide(entry: HostEntry, scheme: string, target: string): string {
  const { conditional } = entry.site;
  if (conditional !== undefined) return choiceOf(entry, conditional, target)[scheme as 'http' | 'https'];
  const prepared = preparedRuleOf(entry, target);
  const rule = prepared?.rule;
  const key = keyUnderRule(entry.site.key, scheme, entry.authority, target, rule);
  const isBypass = rule?.action === 'bypass';
  if (target.length > targetBytesMax) {
    if (isBypass) noteBypass(entry, key);
    return key;
  }
  const targets = countTarget(entry);
  (scheme === 'https' ? targets.https : targets.http)[target] = key;
  targets.buckets[target] = bucketOfKey(entry, target, rule);
  targets.rules ??= {};
  targets.rules[target] = prepared ?? 0;
  // After the target, with which a generation may have ended.
  if (isBypass) noteBypass(entry, key);
  return key;
}

/** The counter of a target, of all that its cache rule takes for the same and of both schemes. */
export function bucketOfTarget(entry: HostEntry, target: string): number {
  const known = entry.targets.buckets[target];
  if (known !== undefined) return known;
  // Where conditions choose, all queries of a path share a counter: no rule's say on them holds for all.
  if (entry.site.conditional !== undefined) return bucketOfKey(entry, splitTarget(target).path, undefined);
  return bucketOfKey(entry, target, preparedRuleOf(entry, target)?.rule);
}

function bucketOfKey(entry: HostEntry, target: string, rule: EdgeCacheRule | undefined): number {
  return bucketOf(cacheKey(entry.site.key, '', entry.host, target, rule));
}

/** All counters that a target is under; in its key where that is not 0. */
export function generationOfTarget(entry: HostEntry, target: string): number {
  return sumOfTarget(entry, target, gone) + generationOfSite(everything, gone);
}

/** The same of those that let what is stored be asked about. */
export function askedOfTarget(entry: HostEntry, target: string): number {
  return hasAsked(entry.site.slot) ? sumOfTarget(entry, target, asked) : 0;
}

function sumOfTarget(entry: HostEntry, target: string, kind: number): number {
  const { slot } = entry.site;
  const bucket = bucketOfTarget(entry, target);
  const own = generationOf(bucket, kind) + generationOfSite(slot, kind);
  const withTags = hasOldTags(slot, kind) ? own + generationOfTags(slot, bucket, kind) : own;
  return hasOldFolders(slot, kind) ? withTags + generationOfFolders(entry, target, kind) : withTags;
}

function generationOfFolders(entry: HostEntry, target: string, kind: number): number {
  let found = entry.targets.folders?.[target];
  if (found === undefined) {
    found = foldersOf(splitTarget(target).path).map((folder) => folderBucket(entry, folder));
    if (target.length <= targetBytesMax) {
      const targets = countTarget(entry);
      targets.folders ??= {};
      targets.folders[target] = found;
    }
  }
  let sum = 0;
  for (const bucket of found) sum += generationOfFolder(bucket, kind);
  return sum;
}

export function folderBucket(entry: HostEntry, folder: string): number {
  return bucketOf(`${entry.site.key} ${entry.host}${folder} folder`);
}

function noteBypass(entry: HostEntry, key: string): void {
  const targets = isBypassed(entry, key) ? entry.targets : countTarget(entry);
  targets.bypassed ??= {};
  targets.bypassed[key] = true;
}

/** Makes room for one more; where to write it. */
function countTarget(entry: HostEntry): Targets {
  targetsHeld += 1;
  if (targetsHeld > targetsMax) {
    targetsHeld = 1;
    for (const each of filledBefore) each.older = undefined;
    for (const each of filled) {
      each.older = each.targets;
      each.targets = noTargets();
    }
    filledBefore = filled;
    filled = [];
  }
  if (entry.targets.count === 0) filled.push(entry);
  entry.targets.count += 1;
  return entry.targets;
}
