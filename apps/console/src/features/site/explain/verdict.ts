import type { ExplainAnswer, RequestTrace, StepReason, StorageReason } from '@breakwater/contract';

/** What the cache makes of a request, as far as that is known before an origin answers. */
export const cacheVerdicts = [
  'stored_fresh',
  'stored_stale',
  'rule',
  'rule_zero',
  'rule_bypass',
  'rule_undecided',
  'follows_origin',
  'no_rule',
  'path_unsure',
  'bypass_development',
  'bypass_cookie',
  'bypass_field',
  'bypass_content',
  'other_method',
  'unreached',
] as const;
export type CacheVerdict = (typeof cacheVerdicts)[number];

/** Reasons of the step `cache_key` for which the cache is bypassed, whatever the rule says. */
const ofKey: Partial<Record<StepReason, CacheVerdict>> = {
  bypass_development: 'bypass_development',
  bypass_cookie: 'bypass_cookie',
  bypass_field: 'bypass_field',
  bypass_content: 'bypass_content',
};
/** Reasons of the step `cache_rule`, where it is not simply a rule that stores. */
const ofRule: Partial<Record<StepReason, CacheVerdict>> = {
  rule_bypass: 'rule_bypass',
  rule_undecided: 'rule_undecided',
  rule_follows_origin: 'follows_origin',
  path_unsure: 'path_unsure',
};

/** The first that decides, in the order in which a node asks. */
export function cacheVerdict({ steps }: RequestTrace): CacheVerdict {
  const stepOf = (name: string) => steps.find(({ step }) => step === name);
  const [rule, key, cache] = [stepOf('cache_rule'), stepOf('cache_key'), stepOf('cache')];
  if (cache === undefined || cache.outcome === 'unreached') return 'unreached';
  const byRule = (rule?.reason && ofRule[rule.reason]) ?? 'no_rule';
  if (key?.reason === 'bypass_rule') return byRule;
  const bypass = key?.reason && ofKey[key.reason];
  if (bypass) return bypass;
  if (cache.reason === 'other_method') return 'other_method';
  // Known to a node only: the stored configuration cannot tell what a disk holds.
  const stored = cache.facts.find(({ name }) => name === 'stored')?.value;
  if (stored === 'fresh') return 'stored_fresh';
  if (stored === 'stale') return 'stored_stale';
  if (rule?.reason !== 'rule') return byRule;
  return rule.facts.some(({ name, value }) => name === 'ttl_seconds' && value === '0') ? 'rule_zero' : 'rule';
}

/** Where a refusal stands in a trace; undefined: it goes on to the cache. */
export const stopOf = ({ steps }: RequestTrace) => steps.find(({ outcome }) => outcome === 'stopped');

type Logged = NonNullable<ExplainAnswer['logged']>;

/** What the cache did with a request of the log: what it had, or why it kept the origin's answer or did not; undefined where nobody wrote that. */
export function loggedVerdict({
  cache_status: status,
  cache_reason: reason,
}: Logged): 'from_cache' | StorageReason | undefined {
  if (['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(status)) return 'from_cache';
  // As nodes of an older release have it.
  if (reason === 'around') return 'bypass';
  return reason === '' ? undefined : (reason as StorageReason);
}

/** Whether the request would be let through now and was refused then, or the other way round. */
export const isOtherNow = (trace: RequestTrace, { decision }: Logged): boolean =>
  (stopOf(trace) !== undefined && decision === '') || (stopOf(trace) === undefined && decision !== '');
