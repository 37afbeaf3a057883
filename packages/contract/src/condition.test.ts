import { expect, it } from 'vitest';
import { condition, contentCondition } from './condition.ts';
import { accessControl } from './site-config/access-control.ts';
import { matcherRule } from './site-config/matcher-rule.ts';

/** What a request carries is read for some rules only. */

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
