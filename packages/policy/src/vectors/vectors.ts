import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { cacheKey } from '../cache/key.ts';
import { matchCacheRule, prepareCacheRules, type MatchRegex } from '../cache/rule.ts';
import { fieldsOfHop, plainAcceptEncoding } from '../http/fields.ts';
import { isExpectedStatus, nextHealth, unjudged, type HealthLimits } from '../origin/health.ts';
import { findByHost, normalizeHost } from '../http/host.ts';
import { parseHttpDate } from '../http/date.ts';
import { invalidatedTargets } from '../cache/invalidation.ts';
import { normalizePath } from '../http/path.ts';
import { readPath } from '../http/request-path.ts';
import {
  authorize,
  encodePath,
  encodeQuery,
  signingKey,
  type Digests,
  type SignedField,
} from '../origin/sigv4.ts';
import { decideStorage } from '../cache/storage.ts';
import { runAccessVector } from './access.ts';
import { runAdvancedVector } from './advanced.ts';
import { runConditionVector } from './condition.ts';
import { runCacheVector } from './cache.ts';
import { runExplainVector } from './explain.ts';
import { runLevelVector } from './levels.ts';
import type { FindRegex } from '../rewrite/match.ts';
import { runProtectVector } from './protect.ts';
import { runOriginVector } from './origin.ts';
import { runRewriteVector } from './rewrite.ts';
import { runTlsVector } from './tls.ts';
import { runVisitorVector } from './visitor.ts';

/** One case of `../vectors/*.json`; `expect` is what the decision gives, without the absent parts. */
export interface Vector {
  about: string;
  input: Record<string, unknown>;
  expect: unknown;
}

/** Makes the decision that a vector file is named for. The same code does it in Node and, compiled, in nginx. */
export function runVector(
  decision: string,
  input: Record<string, unknown>,
  matchRegex: MatchRegex,
  digests: Digests,
  find: FindRegex,
): unknown {
  if (decision === 'sigv4') return sigv4(input as never, digests);
  if (decision === 'host') return host(input as never);
  if (decision === 'explain') return runExplainVector(input, matchRegex, find, digests);
  const condition = runConditionVector(decision, input, matchRegex);
  if (condition !== undefined) return condition;
  if (decision === 'path') return { path: normalizePath(input.path as string) };
  if (decision === 'cache-rule') return cacheRule(input as never, matchRegex);
  if (decision === 'cache-key') return key(input as never);
  if (decision === 'storage' || decision === 'storage-rule') return decideStorage(input as never);
  if (decision === 'invalidation') return { targets: invalidatedTargets(input as never).join(' ') };
  if (decision === 'hop-fields') return { names: fieldsOfHop(input.connection as string).join(' ') };
  if (decision === 'accept-encoding') return { plain: plainAcceptEncoding(input.field as string) };
  if (decision === 'health') return health(input as never);
  if (decision === 'expected-status')
    return { expected: isExpectedStatus(input.ranges as string[], input.status as number) };
  if (decision === 'http-date') return httpDate(input as never);
  return (
    runOriginVector(decision, input) ??
    runTlsVector(decision, input, digests) ??
    runCacheVector(decision, input) ??
    runAdvancedVector(decision, input) ??
    runLevelVector(decision, input) ??
    runAccessVector(decision, input, digests, matchRegex) ??
    runProtectVector(decision, input, matchRegex, digests) ??
    runRewriteVector(decision, input, find) ??
    runVisitorVector(decision, input) ?? { unknown: decision }
  );
}

function host(input: { host: string; domains: Record<string, string> }): unknown {
  const normalized = normalizeHost(input.host);
  return { host: normalized, site: findByHost(normalized, (domain) => input.domains[domain]) ?? 'none' };
}

function cacheRule(input: { rules: EdgeCacheRule[]; path: string }, matchRegex: MatchRegex): unknown {
  const matched = matchCacheRule(prepareCacheRules(input.rules), readPath(input.path), matchRegex);
  return { index: matched === undefined ? -1 : matched.index };
}

function key(input: { target: string; rule?: EdgeCacheRule }): unknown {
  return { key: cacheKey('7', 'https', 'a.example', input.target, input.rule) };
}

/** `results` as `10+ 20-`: at second 10 a good one, at second 20 a bad one. */
function health(input: { limits: HealthLimits; results: string }): unknown {
  let now = unjudged;
  const states: string[] = [];
  for (const result of input.results.split(' ')) {
    const seconds = parseFloat(result.substring(0, result.length - 1));
    now = nextHealth(now, result.endsWith('+'), seconds, input.limits);
    states.push(now.state);
  }
  return { states: states.join(' ') };
}

interface SigningCase {
  method: string;
  path: string;
  query: string;
  query_names: string[];
  fields: SignedField[];
  payload_hash: string;
  access_key_id: string;
  secret: string;
  region: string;
  time: string;
}

function sigv4(input: SigningCase, digests: Digests): unknown {
  const path = encodePath(input.path);
  if (path === undefined) return { path: 'none' };
  const { region, time, method, fields } = input;
  const query = encodeQuery(input.query, input.query_names);
  const ofDay = signingKey(input.secret, time.substring(0, 8), region, digests);
  const signer = { accessKeyId: input.access_key_id, region, time, key: ofDay };
  const request = { method, path, query, fields, payloadHash: input.payload_hash };
  return { path, query, authorization: authorize(request, signer, digests) };
}

function httpDate({ text, now = 1_784_548_800 }: { text: string; now?: number }): unknown {
  return { seconds: parseHttpDate(text, now) ?? -1 };
}
