import { condition, type ConditionGroup, type ConditionLeaf } from '@breakwater/contract/condition';
import { expect, it } from 'vitest';
import { evaluateCondition, prepareCondition, unaskedOutcomes, type TryRegex } from './condition.ts';
import { parseCondition } from './parse.ts';
import { printCondition } from './text.ts';
import { factsOf } from './request-facts.ts';
import { randomFrom } from '../lib/test-random.ts';

const random = randomFrom(20_260_401);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const isLikely = (chance: number) => random() < chance;
const texts = ['a', 'A', '"', '\\', 'b c', '\n', '/', '管', 'x*', '[', ')', 'and', '%41'];

function randomLeaf(): ConditionLeaf {
  const leaf = pick<Partial<ConditionLeaf> & Pick<ConditionLeaf, 'field' | 'operator'>>([
    {
      field: 'path',
      operator: pick(['equals', 'contains', 'starts_with', 'wildcard']),
      values: [`/${pick(texts)}`, pick(texts)],
    },
    { field: 'header', name: pick(['x-a', 'X A', 'b"']), operator: pick(['exists', 'is_empty']) },
    { field: 'header', name: 'x-a', operator: 'contains_all', values: [pick(texts), pick(texts)] },
    { field: 'argument', name: pick(texts), operator: 'equals', values: [pick(texts)] },
    { field: 'uri', operator: 'regex', values: [pick(['a', 'b', 'unsure'])] },
    { field: 'ip', operator: 'in', values: [pick(['10.0.0.0/8', '::/0', '192.0.2.1'])] },
    {
      field: 'hour',
      name: pick(['+08:00', '-11:30']),
      operator: 'in_range',
      values: [pick(['0..11', '12..23'])],
    },
    { field: 'header_names', operator: 'has', values: ['x-a'] },
  ]);
  return { values: [], negated: isLikely(0.3), ignore_case: isLikely(0.3), ...leaf };
}

function randomGroup(depth: number): ConditionGroup {
  const items = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    depth > 1 && isLikely(0.4) ? randomGroup(depth - 1) : randomLeaf(),
  );
  return { match: pick(['all', 'any']), negated: isLikely(0.3), items };
}

/** Of one pattern nothing is known. */
const tryRegex: TryRegex = (subject, pattern) =>
  pattern === 'unsure' ? undefined : subject.includes(pattern);

function randomRequest() {
  return factsOf({
    method: 'GET',
    scheme: 'http',
    host: 'a.example',
    target: `/${pick(texts)}?${pick(texts)}=${pick(texts)}`,
    headers: isLikely(0.5) ? [{ name: 'X-A', value: pick(texts) }] : [],
    ip: pick(['10.1.2.3', '192.0.2.1', '2001:db8::1', '']),
    protocol: 'HTTP/1.1',
    time: Math.floor(random() * 2_000_000_000),
  });
}

const verdict = (tree: ConditionGroup, facts: ReturnType<typeof randomRequest>) =>
  evaluateCondition(prepareCondition(tree), { facts, tryRegex, decidedBy: -1 });

it('a condition written as text and read again says the same, and is written the same', () => {
  for (let round = 0; round < 3000; round++) {
    const tree = randomGroup(3);
    const text = printCondition(tree);
    const read = parseCondition(text).condition!;
    expect(read, text).toBeDefined();
    expect(printCondition(parseCondition(printCondition(read)).condition!)).toBe(printCondition(read));
    expect(parseCondition(printCondition(read)).condition).toEqual(read);
    const facts = randomRequest();
    expect([text, verdict(read, facts)]).toEqual([text, verdict(tree, facts)]);
  }
});

it('what is read is what the schema takes, and the schema changes nothing of it', () => {
  for (let round = 0; round < 500; round++) {
    const read = parseCondition(printCondition(randomGroup(3))).condition!;
    expect(condition.parse(read)).toEqual(read);
  }
});

/** By the tables of Kleene's logic, with nothing left out for being known already. */
function slowly(item: ConditionGroup | ConditionLeaf, facts: ReturnType<typeof randomRequest>): number {
  if (!('items' in item)) return verdict({ match: 'all', negated: false, items: [item] }, facts);
  const all = item.items.map((inner) => slowly(inner, facts)).map((one) => (one === -1 ? 0.5 : one));
  const joined = item.match === 'all' ? Math.min(...all) : Math.max(...all);
  const turned = item.negated ? 1 - joined : joined;
  return turned === 0.5 ? -1 : turned;
}

it('leaving out what cannot change the verdict changes no verdict', () => {
  const seen = new Set<number>();
  for (let round = 0; round < 3000; round++) {
    const tree = randomGroup(3);
    const facts = randomRequest();
    const prepared = prepareCondition(tree);
    const asked = { facts, tryRegex, decidedBy: -1, outcomes: unaskedOutcomes(prepared) };
    const said = evaluateCondition(prepared, asked);
    expect(said).toBe(slowly(tree, facts));
    expect(asked.outcomes[asked.decidedBy]).not.toBe(2);
    seen.add(said);
  }
  expect(seen).toEqual(new Set([-1, 0, 1]));
});

it('any text is read or refused with a place in it', () => {
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: Math.floor(random() * 12) }, () =>
      pick([...texts, 'path', ' ', ' equals ', '"', '(', ')', ' not ', ' or ', '[', ']', ',', '.', '1']),
    ).join('');
    const { condition: read, problem, at } = parseCondition(text);
    expect(read === undefined).toBe(problem !== undefined);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(at).toBeLessThanOrEqual(text.length);
  }
});
