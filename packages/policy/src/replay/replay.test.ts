import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { matcherRuleSection } from '@breakwater/contract/site-config/matcher-rule';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { expect, it } from 'vitest';
import { prepareAccessCondition, suitsReadings } from '../access/condition.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import { pathForms } from '../http/path-forms.ts';
import { splitTarget } from '../http/path.ts';
import { randomFrom } from '../lib/test-random.ts';
import type { LogContents, ReplayLine } from './logged.ts';
import { decideReplay, planReplay } from './replay.ts';

const log: LogContents = { referer: true, user_agent: true, query: true, masked: ['token'] };
const none: EffectiveSite = { certificate_settings: {} } as unknown as EffectiveSite;
const lookups = { isListed: () => false, placeOf: () => undefined };

const lineOf = (request: Partial<DescribedRequest>): ReplayLine => {
  const header = (name: string) => request.headers?.find((each) => each.name === name)?.value ?? '';
  return {
    method: request.method ?? 'GET',
    scheme: 'https',
    host: 'www.example.com',
    protocol: 'HTTP/1.1',
    target: request.target ?? '/',
    remote_addr: '198.51.100.7',
    raw_remote_addr: '198.51.100.7',
    remote_port: 1,
    referer: header('Referer'),
    user_agent: header('User-Agent'),
    tls_version: 'TLSv1.3',
    ja4: request.ja4 ?? '',
    country: '',
    province: '',
    carrier: '',
    asn: 0,
    time: 0,
    refused_by: '',
    own_target: '',
    attack_noted: false,
    answer_status: request.answer?.status ?? 0,
    answer_cache: request.answer?.cache ?? '',
  };
};

const random = randomFrom(7);
const one = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)]!;
const some = <Item>(most: number, item: () => Item): Item[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, item);

function leaf(): object {
  const field = one('path', 'header', 'cookie', 'user_agent', 'argument', 'method', 'query', 'form', 'ja4');
  const operator = one('equals', 'contains', 'starts_with', 'exists', 'is_empty');
  return {
    field,
    operator,
    negated: one(true, false),
    ignore_case: one(true, false),
    values: operator === 'exists' || operator === 'is_empty' ? [] : some(2, () => one('a', 'b', '/a', '1')),
    ...(field === 'header' || field === 'cookie' ? { name: 'x' } : {}),
    ...(field === 'argument' || field === 'form' ? { name: 'q' } : {}),
  };
}
const group = (item: () => object): object => ({
  match: one('all', 'any'),
  negated: one(true, false),
  items: some(3, item),
});

const formType = 'application/x-www-form-urlencoded';

/** A header field that comes once, as lines have it. */
const anyRequest = (method = one('GET', 'POST', 'a')): DescribedRequest => ({
  method,
  content:
    method === 'GET' || one(true, false) ? 'none' : { type: formType, body: one('q=a', 'q=1&q=b', 'x') },
  target: one('/', '/a', '/A/b?q=a', '/%61?q=1&x', '/b?'),
  headers: ['User-Agent', 'X', 'Cookie'].flatMap((name) =>
    one(true, false) ? [{ name, value: one('a', 'x=a', 'b1') }] : [],
  ),
  scheme: 'https',
  host: 'www.example.com',
  ip: '198.51.100.7',
  protocol: 'HTTP/1.1',
  tlsVersion: 'TLSv1.3',
  ja4: one('', 'a', 'b'),
  time: 0,
});

it('decides a request as the edge does with all of it, or says that a line does not tell', () => {
  const { rules } = matcherRuleSection.parse({ rules: [{ action: 'block' }] });
  const seen: Record<string, number> = {};
  for (let round = 0; round < 5000; round++) {
    const condition = group(() => (one(true, false) ? leaf() : group(leaf))) as never;
    const request = anyRequest();
    const facts = factsOf(request, lookups);
    const isBlocked = suitsReadings(
      prepareAccessCondition(condition),
      pathForms(splitTarget(request.target).path),
      { facts, tryRegex: matchPattern, decidedBy: 0 },
      true,
    );
    const draft = { ...none, matcher_rule: { rules: [{ ...rules[0]!, condition }] } };
    const plan = planReplay('matcher_rule', none, draft, log, 0);
    // One line in two is of a site that does not log it.
    const line = { ...lineOf(request), ja4: one(request.ja4!, '') };
    const { outcome } = decideReplay(plan, line, { tryRegex: matchPattern, lookups }).draft;
    seen[outcome] = (seen[outcome] ?? 0) + 1;
    const about = JSON.stringify({ condition, request });
    if (outcome === 'unknown') expect(about).toMatch(/"field":"(header|cookie|form|ja4)"/);
    else expect(outcome, about).toBe(isBlocked ? 'block' : 'pass');
  }
  for (const outcome of ['block', 'pass', 'unknown']) expect(seen[outcome]).toBeGreaterThan(300);
});

const outcomeOf = (rules: object[], sent: Partial<DescribedRequest>, contents = log) => {
  const draft = { ...none, matcher_rule: matcherRuleSection.parse({ rules }) };
  const plan = planReplay('matcher_rule', none, draft, contents, Date.parse('2026-06-01T00:00:00Z') / 1000);
  return decideReplay(plan, lineOf(sent), { tryRegex: matchPattern, lookups }).draft;
};
const test = (field: string, values: string[], name?: string) => ({
  items: [{ field, operator: 'equals', values, ...(name === undefined ? {} : { name }) }],
});

it.each([
  ['a masked argument', [{ action: 'block', condition: test('argument', ['1'], 'token') }], 'unknown'],
  [
    'a rule that only observes',
    [{ action: 'block', mode: 'observe', condition: test('cookie', ['1'], 'a') }],
    'pass',
  ],
  [
    'a tag that a later rule asks for',
    [
      { action: 'tag', tag: { name: 'x' }, condition: test('cookie', ['1'], 'a') },
      { action: 'block', condition: { items: [{ field: 'tags', operator: 'has', values: ['x'] }] } },
    ],
    'unknown',
  ],
  [
    'a tag that nobody asks for',
    [{ action: 'tag', tag: { name: 'x' }, condition: test('cookie', ['1'], 'a') }],
    'pass',
  ],
  ['a rule whose time is over', [{ action: 'block', until: '2026-05-01T00:00:00Z' }], 'pass'],
  ['a rule whose time is to come', [{ action: 'block', until: '2026-07-01T00:00:00Z' }], 'block'],
  [
    'whom an allowing rule may let in',
    [{ action: 'allow', condition: test('header', ['1'], 'x') }, { action: 'block' }],
    'unknown',
  ],
] as const)('%s', (_, rules, outcome) => {
  expect(outcomeOf([...rules], {}).outcome).toBe(outcome);
});

it('knows that a GET carries nothing, and not what a POST does', () => {
  const rules = [{ action: 'block', condition: test('form', ['1'], 'q') }];
  expect(outcomeOf(rules, {}).outcome).toBe('pass');
  expect(outcomeOf(rules, { method: 'POST' })).toMatchObject({ outcome: 'unknown', unknown: 'form.q' });
});

it('knows what a site leaves out of its log', () => {
  const rules = [{ action: 'block', condition: test('user_agent', ['curl']) }];
  const sent = { headers: [{ name: 'User-Agent', value: 'curl' }] };
  expect(outcomeOf(rules, sent).outcome).toBe('block');
  expect(outcomeOf(rules, sent, { ...log, user_agent: false })).toMatchObject({
    outcome: 'unknown',
    unknown: 'user_agent',
  });
});

it('knows an answer by its status and by where it came from, but for what was refused then', () => {
  const asks = (field: string, values: string[]) => ({ items: [{ field, operator: 'equals', values }] });
  const failed = [{ action: 'block', condition: asks('response_status', ['500']) }];
  expect(outcomeOf(failed, { answer: { status: 500 } }).outcome).toBe('block');
  expect(outcomeOf(failed, { answer: { status: 200 } }).outcome).toBe('pass');
  expect(outcomeOf(failed, {})).toMatchObject({ outcome: 'unknown', unknown: 'response_status' });
  const missed = [{ action: 'block', condition: asks('response_cache', ['MISS']) }];
  expect(outcomeOf(missed, { answer: { status: 200, cache: 'MISS' } }).outcome).toBe('block');
  const typed = [{ action: 'block', condition: asks('response_content_type', ['text/html']) }];
  expect(outcomeOf(typed, { answer: { status: 200 } })).toMatchObject({
    outcome: 'unknown',
    unknown: 'response_content_type',
  });
});

it('asks of the answer what stands before a rule that lets by, and nothing of what stands behind it', () => {
  const failed = { items: [{ field: 'response_status', operator: 'equals', values: ['500'] }] };
  const allow = { action: 'allow' };
  const block = { action: 'block', condition: failed };
  const request = { answer: { status: 500 } };
  expect(outcomeOf([allow, block], request).outcome).toBe('allow');
  expect(outcomeOf([block, allow], request).outcome).toBe('block');
  expect(outcomeOf([block, allow], { answer: { status: 200 } }).outcome).toBe('allow');
});

it('leaves rules on answers out before the sections that are asked before answers are there', () => {
  const typed = { field: 'response_content_type', operator: 'exists', values: [] };
  const { rules } = matcherRuleSection.parse({ rules: [{ action: 'block', condition: { items: [typed] } }] });
  const site = { ...none, matcher_rule: { rules } } as EffectiveSite;
  const plan = planReplay('used_system_rule', site, site, log, 0);
  const decided = decideReplay(plan, lineOf({}), { tryRegex: matchPattern, lookups });
  expect(decided.draft.outcome).toBe('pass');
});
