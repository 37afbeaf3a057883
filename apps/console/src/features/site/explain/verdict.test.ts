import {
  storageReasons,
  type RequestStep,
  type RequestTrace,
  type StepReason,
  type TraceStep,
} from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { cacheVerdict, cacheVerdicts, loggedVerdict, type CacheVerdict } from './verdict.ts';
import { verdictSentences } from './verdict-sentences.text.ts';

describe.each(['zh', 'en'] as const)('in %s', (language) => {
  const { now, was } = verdictSentences[language];
  it.each(cacheVerdicts)('%s has a sentence', (verdict) => expect(now[verdict]).toMatch(/[.。]$/));
  it.each([...storageReasons, 'from_cache' as const])('%s of the log has a sentence', (reason) =>
    expect(was[reason]).toMatch(/[.。]$/),
  );
});

const step = (
  name: RequestStep,
  reason: StepReason | undefined,
  facts: TraceStep['facts'] = [],
): TraceStep => ({
  step: name,
  outcome: 'passed',
  ...(reason ? { reason } : {}),
  facts,
});
const traceOf = (
  rule: StepReason | undefined,
  key: StepReason,
  cache: StepReason,
  facts: { ttl?: string; stored?: string } = {},
): RequestTrace => ({
  documents: [],
  steps: [
    step('cache_rule', rule, facts.ttl ? [{ name: 'ttl_seconds', value: facts.ttl }] : []),
    step('cache_key', key),
    step('cache', cache, facts.stored ? [{ name: 'stored', value: facts.stored, live: true }] : []),
  ],
});

const cases: Record<CacheVerdict, RequestTrace> = {
  stored_fresh: traceOf('rule', 'keyed', 'looked_up', { ttl: '60', stored: 'fresh' }),
  stored_stale: traceOf('no_rule', 'keyed', 'looked_up', { stored: 'stale' }),
  rule: traceOf('rule', 'keyed', 'looked_up', { ttl: '60', stored: 'none' }),
  rule_zero: traceOf('rule', 'keyed', 'looked_up', { ttl: '0' }),
  rule_bypass: traceOf('rule_bypass', 'bypass_rule', 'bypass'),
  rule_undecided: traceOf('rule_undecided', 'bypass_rule', 'bypass'),
  follows_origin: traceOf('rule_follows_origin', 'keyed', 'looked_up'),
  no_rule: traceOf(undefined, 'keyed', 'looked_up', { stored: 'none' }),
  path_unsure: traceOf('path_unsure', 'keyed', 'looked_up'),
  bypass_development: traceOf('rule', 'bypass_development', 'bypass', { ttl: '60' }),
  bypass_cookie: traceOf('rule', 'bypass_cookie', 'bypass', { ttl: '60' }),
  bypass_field: traceOf('no_rule', 'bypass_field', 'bypass'),
  bypass_content: traceOf('no_rule', 'bypass_content', 'bypass'),
  other_method: traceOf('rule', 'keyed', 'other_method', { ttl: '60' }),
  unreached: { documents: [], steps: [{ step: 'cache', outcome: 'unreached', facts: [] }] },
};
it.each(Object.entries(cases))('a trace comes to %s', (verdict, trace) =>
  expect(cacheVerdict(trace)).toBe(verdict),
);

it.each([
  ['HIT', '', 'from_cache'],
  ['MISS', 'no_lifetime', 'no_lifetime'],
  ['BYPASS', 'bypass', 'bypass'],
  ['BYPASS', 'around', 'bypass'],
  ['MISS', '', undefined],
])('a logged %s with “%s” is %s', (cache_status, cache_reason, verdict) =>
  expect(
    loggedVerdict({
      cache_status,
      cache_reason,
      decision: '',
      rule: null,
      status: 200,
      time: '',
      request_id: '',
      origin_addr: '',
    }),
  ).toBe(verdict),
);
