import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { Preload } from '@breakwater/contract/site-config/speed-optimize';
import { browserCacheControl } from '@breakwater/policy/cache/browser';
import {
  cacheVariant,
  bypassingField,
  bypassesByCookie,
  type RequestFields,
} from '@breakwater/policy/cache/variant';
import type { PreparedRule } from '@breakwater/policy/cache/rule';
import { cacheStatus } from '@breakwater/policy/cache/status';
import { mediaType } from '@breakwater/policy/http/content-type';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { preloadLinks } from '@breakwater/policy/cache/preload';

/**
 * What some sites want of each request beyond a lookup in the cache. A site that wants none of it has no `CacheExtras`,
 * and its requests run nothing of this file.
 */
export interface CacheExtras {
  /** A rule decides for each request anew. */
  hasSpecialRules: boolean;
  /** Answers do not say where they came from. */
  isQuiet: boolean;
  /** Answers say so in the standard's field. */
  saysStatus: boolean;
  /** Until then everything goes around the cache; seconds since 1970. */
  developmentUntil: number;
  preload: Preload[];
  /** Fields that the origin gets as visitors write them, and the variables of nginx that hold them. */
  passedFields: string[];
  passedVariables: string[];
  /** The fetch server, if not the usual one. */
  fetchServer: string | undefined;
}

/** `isWanted`: even where nothing of this file is. */
export function cacheExtrasOf(
  document: EffectiveSite,
  rules: PreparedRule[],
  isWanted: boolean,
): CacheExtras | undefined {
  const settings = document.cache_settings;
  const speed = document.speed_optimize;
  const passedFields = document.real_ip?.pass_headers ?? [];
  let hasSpecialRules = false;
  for (const rule of rules) if (rule.isSpecial) hasSpecialRules = true;
  const isCompressed = speed !== undefined && (speed.gzip || speed.brotli);
  const extras: CacheExtras = {
    hasSpecialRules,
    isQuiet: settings?.cache_header === false,
    saysStatus: settings?.cache_status_header === true,
    developmentUntil: settings?.development_until ?? 0,
    preload: speed?.preload ?? [],
    passedFields,
    passedVariables: passedFields.map((name) => `http_${name.split('-').join('_')}`),
    fetchServer: isCompressed && speed.level !== 'balanced' ? `fetch_${speed.level}` : undefined,
  };
  const isAny =
    isWanted ||
    hasSpecialRules ||
    extras.isQuiet ||
    extras.saysStatus ||
    extras.developmentUntil > 0 ||
    extras.preload.length > 0 ||
    extras.passedFields.length > 0 ||
    extras.fetchServer !== undefined;
  return isAny ? extras : undefined;
}

/** Where one request goes, and under which key; `around`: not to the cache. */
export interface CachePlan {
  variant: string;
  isBypass: boolean;
  stage: string;
}

const megabyte = 1_048_576;
const variantBytesMax = 200;

/** In the phase that makes the key. `isWhole`: this target is known not to be had in parts. */
export function planRequest(
  extras: CacheExtras,
  rule: PreparedRule | undefined,
  isWhole: boolean,
): CachePlan {
  const plan: CachePlan = { variant: '', isBypass: extras.developmentUntil > ngx.time(), stage: '@cached' };
  const variables = ngx.var;
  if (extras.fetchServer !== undefined) variables.edge_fetch = extras.fetchServer;
  if (extras.passedFields.length > 0 && fieldsBypass(extras, rule)) plan.isBypass = true;
  if (rule === undefined || !rule.isSpecial) return plan;
  const special = rule.rule;
  if (rule.keysRequest) {
    if (bypassesByCookie(special, variables.http_cookie)) plan.isBypass = true;
    plan.variant = shortVariant(cacheVariant(special, fieldsOf(rule)));
  }
  if (!plan.isBypass) plan.stage = placeOfRule(rule, isWhole);
  return plan;
}

/** Through which place the rule has a request go to the cache. */
export function placeOfRule(rule: PreparedRule | undefined, isWhole: boolean): string {
  if (rule === undefined || !rule.choosesPlace || !isCacheable()) return '@cached';
  const sliceBytes = rule.rule.slice_bytes ?? 0;
  if (sliceBytes > 0 && !isWhole) return `@slice_${sliceBytes / megabyte}m`;
  return rule.rule.lock === false ? '@unlocked' : '@cached';
}

/** The request carries a field that shapes its answer, and that answers are not kept apart by. */
function fieldsBypass(extras: CacheExtras, rule: PreparedRule | undefined): boolean {
  const { passedFields: passed, passedVariables } = extras;
  const fields: RequestFields = {};
  for (let index = 0; index < passed.length; index++)
    fields[passed[index]!] = ngx.var[passedVariables[index]!];
  return bypassingField(passed, rule?.rule, fields) !== undefined;
}

function isCacheable(): boolean {
  const variables = ngx.var;
  const method = variables.request_method;
  return (method === 'GET' || method === 'HEAD') && variables.cache_zone !== 'off';
}

/** A variant as it stands in keys. */
export function shortVariant(text: string): string {
  if (text.length <= variantBytesMax) return text;
  let hex = '';
  const digest = ngx.md5_bin(text);
  for (let index = 0; index < digest.length; index++)
    hex += string.format('%02x', string.byte(digest, index + 1));
  return hex;
}

/** The request fields that the rule looks at. */
function fieldsOf({ rule }: PreparedRule): RequestFields {
  const variables = ngx.var;
  const fields: RequestFields = { cookie: variables.http_cookie, 'user-agent': variables.http_user_agent };
  const names = rule.key_headers ?? [];
  if (names.length === 0) return fields;
  // All lines of a field, as the origin gets them all. Some read the first only, so two are not one with a comma.
  const lines = ngx.req.get_headers(0);
  for (const name of names) {
    const value = lines[name];
    fields[name] =
      type(value) === 'table' ? table.concat(value as string[], '\n') : (value as string | undefined);
  }
  return fields;
}

/** On the answer's way out: what the site's settings and the rule say of its header. `known`: its age, where this node knows it. */
export function shapeHeaders(
  extras: CacheExtras,
  rule: PreparedRule | undefined,
  target: string,
  known: number | undefined,
): void {
  const variables = ngx.var;
  const header = ngx.header;
  if (!extras.isQuiet) header['X-Cache'] = variables.cache_status;
  if (extras.saysStatus) addCacheStatus();
  if (rule !== undefined && rule.rule.browser_ttl_seconds !== undefined) {
    const age = known ?? tonumber(variables.age) ?? 0;
    const own = header['Cache-Control'];
    const stated = type(own) === 'table' ? table.concat(own as string[], ', ') : (own as string | undefined);
    const text = browserCacheControl(rule.rule, ngx.status, age, stated);
    if (text !== undefined) {
      header['Cache-Control'] = text;
      header.Expires = undefined;
    }
  }
  if (extras.preload.length > 0) addPreload(extras.preload, target);
}

const ofStored: Record<string, boolean> = { HIT: true, STALE: true, UPDATING: true };

/** Behind those of the caches that the answer came through (RFC 9211 §2), but not on a page of the edge's own, which is kept for no reason. */
export function addCacheStatus(): void {
  const variables = ngx.var;
  const state = variables.cache_status!;
  if (ofStored[state] !== true && variables.stated_reason === '') return;
  const text = cacheStatus({
    state,
    method: variables.request_method!,
    originStatus: tonumber(variables.stated_status) ?? 0,
    isStored: (tonumber(string.sub(variables.upstream_http_x_breakwater ?? '', 1, 10)) ?? 0) > 0,
  });
  const header = ngx.header;
  const own = header['Cache-Status'];
  if (own === undefined) header['Cache-Status'] = text;
  else if (type(own) === 'table') header['Cache-Status'] = [...(own as string[]), text];
  else header['Cache-Status'] = [own as string, text];
}

function addPreload(list: Preload[], target: string): void {
  const header = ngx.header;
  if (ngx.status !== 200 || mediaType(tostring(header['Content-Type'] ?? '')) !== 'text/html') return;
  const links = preloadLinks(list, pathOfTarget(target));
  if (links === undefined) return;
  const own = header.Link;
  if (own === undefined) header.Link = links;
  else if (type(own) === 'table') header.Link = [...(own as string[]), links];
  else header.Link = [own as string, links];
}
