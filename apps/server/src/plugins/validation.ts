import { issueText, type IssueMessage } from '@breakwater/contract';
import * as z from 'zod';
import { ApiError, type FieldIssue } from '../api-error.ts';

/** Parses one part of a request. Throws `invalid_input` with an issue per field, whose paths start with `path`. */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  path = '',
): z.core.output<Schema> {
  // With the input in each issue: what is absent is told apart from what is of a wrong type.
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const found = result.error.issues.flatMap(toFieldIssues);
  if (path === '') throw new ApiError('invalid_input', found);
  throw new ApiError(
    'invalid_input',
    found.map((field) => ({ ...field, path: field.path === '' ? path : `${path}.${field.path}` })),
  );
}

function toFieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, issue: 'unknown_field' }));
  return [{ path, issue: issueKey(issue) }];
}

function issueKey(issue: z.core.$ZodIssue): IssueMessage {
  // A schema that says which.
  if (issueText(issue.message, 'en') !== undefined) return issue.message as IssueMessage;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'wrong_type';
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return issue.minimum === 1 ? 'required' : 'too_short';
      return 'too_small';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'too_big';
    case 'invalid_value':
      return issue.input === undefined ? 'required' : 'not_an_option';
    default:
      return 'invalid';
  }
}

/**
 * What the response declares, and nothing else. What was stored under looser rules than today's is given all the same, so
 * that it can be seen and mended: its shape is held, the checks of its values are not.
 */
export function declared<Schema extends z.core.$ZodType>(
  schema: Schema,
  data: unknown,
): z.core.output<Schema> {
  const strict = z.safeParse(schema, data);
  if (strict.success) return strict.data;
  return z.parse(schema, data, { skipChecks: true } as z.core.ParseContext<z.core.$ZodIssue>);
}
