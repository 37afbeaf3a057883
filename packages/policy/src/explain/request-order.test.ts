import { requestSteps } from '@breakwater/contract/request-steps';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unanswered } from './explain.ts';

it('traces and the documentation have the steps of a request, in its order', () => {
  const text = readFileSync(new URL('../../../../docs/request-order.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, step]) => step);
  expect(documented).toEqual([...requestSteps]);
  expect(unanswered('unknown_host').map(({ step }) => step)).toEqual([...requestSteps]);
});
