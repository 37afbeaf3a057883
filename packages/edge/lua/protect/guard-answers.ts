import { countsForGuard, isFromOrigin, type PreparedGuardRule } from '@breakwater/policy/protect/guard';
import type { GuardMode } from '@breakwater/contract/site-config/cc-guardian-rule';
import { entryOf } from '../site/host.ts';
import { loadSite } from '../site/site.ts';
import { areSomeGuarded, counterName } from './guard.ts';
import { holdFor } from './guard-counts.ts';
import {
  countOriginAnswer,
  countPassed,
  dropPlace,
  judgePlace,
  listPlaces,
  placeAt,
  placeName,
  recountUrls,
} from './guard-places.ts';
import { countForRule } from './guard-shares.ts';

/** What CC guard does when a request has ended, and by the clock. */

/** Counts the answer to a request that got to the site. */
export function countAnswer(): void {
  if (!areSomeGuarded()) return;
  const variables = ngx.var;
  const noted = variables.edge_guard;
  if (noted === undefined || noted === '') return;
  // Refused by a later stage, or asked for a challenge.
  if (variables.edge_decision !== '' || variables.edge_challenge !== '') return;
  const site = entryOf(variables.host!)?.site;
  const guard = site?.protection?.guard;
  if (site === undefined || guard === undefined) return;
  const [mode, url, rules] = string.match(noted, '^([^\n]*)\n([^\n]*)\n(.*)$');
  const now = ngx.now();
  const answer = {
    status: tonumber(variables.status) ?? 0,
    // Calls of gRPC go by no cache.
    cache: variables.upstream_cache_status ?? (variables.upstream_status === undefined ? '' : 'BYPASS'),
    milliseconds: math.floor((tonumber(variables.upstream_response_time) ?? 0) * 1000),
  };
  if (url !== '') countForPlaces(site.key, url!, answer, now);
  for (const [line] of string.gmatch(rules!, '[^\n]+')) {
    const [name, who] = string.match(line!, '^(%S+) (.*)$');
    const rule = ruleNamed(guard.rules[mode as GuardMode], name!);
    if (rule === undefined || !countsForGuard(rule, answer)) continue;
    const counter = counterName(site.key, rule, who!);
    if (countForRule(counter, rule, now) > rule.requests) holdFor(counter, rule.holdSeconds, now);
  }
}

/** What was under way before a place took its level says nothing about what the level does. */
function countForPlaces(
  siteKey: string,
  url: string,
  answer: { status: number; cache: string; milliseconds: number },
  now: number,
): void {
  const began = ngx.req.start_time();
  const [ofSite, ofUrl] = [placeName(siteKey, ''), placeName(siteKey, url)];
  const [atSite, atUrl] = [placeAt(ofSite), placeAt(ofUrl)];
  const isBefore = began < (atSite?.since ?? 0);
  if (atUrl === undefined ? !isBefore : began >= atUrl.since)
    countPassed(atUrl === undefined ? ofSite : ofUrl, now);
  if (!isBefore && isFromOrigin(answer))
    countOriginAnswer(ofSite, answer.status >= 500, answer.milliseconds, now);
}

function ruleNamed(rules: readonly PreparedGuardRule[], name: string): PreparedGuardRule | undefined {
  for (const rule of rules) if (rule.name === name) return rule;
  return undefined;
}

/** Each second, in one worker: what is under attack may have become quiet, with nobody asking for it. */
export function judgePlaces(): void {
  const now = ngx.now();
  const urls: Record<string, number> = {};
  for (const { name, siteKey, url } of listPlaces()) {
    const guard = loadSite(siteKey)?.protection?.guard;
    const settings = guard?.settings;
    if (
      settings === undefined ||
      !settings.escalation ||
      !(settings.mode === 'normal' || settings.mode === 'strict')
    ) {
      dropPlace(name, siteKey, now);
      continue;
    }
    judgePlace(siteKey, url, placeAt(name)?.path ?? '', settings, now);
    if (url !== '' && placeAt(name) !== undefined) urls[siteKey] = (urls[siteKey] ?? 0) + 1;
  }
  recountUrls(urls);
}
