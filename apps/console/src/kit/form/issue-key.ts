import type { IssueKey } from '@breakwater/contract';
import type * as z from 'zod';

/** The sentence of `issues` that fits what a schema found. */
export function issueKey(issue: z.core.$ZodRawIssue): IssueKey {
  // Whatever it would have to be, nothing was entered.
  if (issue.input === '' || issue.input === undefined) return 'required';
  switch (issue.code) {
    case 'invalid_type':
      return Number.isNaN(issue.input) ? 'required' : 'wrong_type';
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return 'too_small';
      return Number(issue.minimum) <= 1 ? 'required' : 'too_short';
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int' ? 'too_big' : 'too_long';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'invalid_value':
      return 'not_an_option';
    default:
      return 'invalid';
  }
}
