import { cacheRuleSection } from '@breakwater/contract';
import { expect, it } from 'vitest';
import { withNeeds } from './section-compile.ts';

it('states what nodes must know for the conditions of a document', () => {
  const { rules } = cacheRuleSection.parse({
    rules: [
      {
        type: 'all',
        ttl_seconds: 60,
        condition: { items: [{ field: 'country', operator: 'equals', values: ['CN'] }] },
      },
    ],
  });
  expect(withNeeds({ cache_rule: rules }).needs).toEqual(['condition.country', 'operator.equals']);
  expect(withNeeds({ cache_rule: [] })).not.toHaveProperty('needs');
});
