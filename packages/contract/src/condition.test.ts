import { expect, it } from 'vitest';
import { condition, contentCondition } from './condition.ts';
import { accessControl } from './site-config/access-control.ts';
import { answerActions, matcherActions, matcherRule } from './site-config/matcher-rule.ts';

/** What a request carries is read for some rules only, and what it is answered with is asked by few. */

const carried = {
  items: [
    { field: 'path', operator: 'equals', values: ['/a'] },
    { match: 'any', items: [{ field: 'json', name: 'user.name', operator: 'exists' }] },
  ],
};

it('is refused at its field where nothing is read', () => {
  const { error } = condition.safeParse(carried);
  expect(error?.issues).toEqual([
    expect.objectContaining({ path: ['items', 1, 'items', 0, 'field'], message: 'condition_content' }),
  ]);
  expect(accessControl.safeParse({ rules: [{ action: 'deny', condition: carried }] }).success).toBe(false);
});

it('is taken by rules that are asked once it is read, and judged as other fields are', () => {
  expect(matcherRule.safeParse({ action: 'block', condition: carried }).success).toBe(true);
  const nameless = { items: [{ field: 'form', operator: 'exists' }] };
  expect(contentCondition.safeParse(nameless).error?.issues).toEqual([
    expect.objectContaining({ path: ['items', 0, 'name'], message: 'required' }),
  ]);
  const named = { items: [{ field: 'file_name', name: 'f', operator: 'exists' }] };
  expect(contentCondition.safeParse(named).success).toBe(false);
});

const answered = { field: 'response_status', operator: 'at_least', values: ['500'] };

it('refuses the answer where nothing of it is there', () => {
  expect(condition.safeParse({ items: [answered] }).error?.issues).toEqual([
    expect.objectContaining({ path: ['items', 0, 'field'], message: 'condition_answer' }),
  ]);
  expect(contentCondition.safeParse({ items: [...carried.items, answered] }).error?.issues).toEqual([
    expect.objectContaining({ path: ['items', 2, 'field'], message: 'condition_answer_content' }),
  ]);
});

it.each(matcherActions)('takes the answer for what can still be done about it: %s', (action) => {
  const rule = { action, condition: { items: [answered] }, tag: { name: 'a' }, list: { list_id: 1 } };
  const { error } = matcherRule.safeParse({ ...rule, redirect: { url: 'https://example.com/' } });
  expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(
    answerActions.includes(action) ? undefined : ['action matcher_answer_action'],
  );
});
