import {
  errors,
  issueText,
  type ErrorName,
  type FieldError,
  type IssueMessage,
  type Language,
} from '@breakwater/contract';

export interface FieldIssue {
  /** Dotted path of the field in the body or the query: `origins.0.address`. */
  path: string;
  issue: IssueMessage;
  /** Said after the sentence as it is: what another program answered. */
  detail?: string;
}

/** What a handler throws to say no: one of the contract's errors, and the fields that caused it. */
export class ApiError extends Error {
  readonly error: ErrorName;
  readonly fields: readonly FieldIssue[];

  constructor(error: ErrorName, fields: readonly FieldIssue[] = []) {
    super(error);
    this.error = error;
    this.fields = fields;
  }
}

export const invalid = (path: string, issue: IssueMessage): ApiError =>
  new ApiError('invalid_input', [{ path, issue }]);
export const notFound = (): ApiError => new ApiError('not_found');

/** The body of an error answer in the reader's language. */
export function errorBody(error: ErrorName, fields: readonly FieldIssue[], language: Language) {
  const body: { code: number; message: string; errors?: FieldError[] } = {
    code: errors[error].code,
    message: errors[error][language],
  };
  if (fields.length > 0)
    body.errors = fields.map(({ path, issue, detail = '' }) => ({
      path,
      message: issueText(issue, language)! + detail,
    }));
  return body;
}

/** The PostgreSQL error behind a failed query, if it is one: drizzle wraps it as the cause. */
export function databaseError(error: unknown): { code: string; constraint?: string } | undefined {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string' && /^[0-9A-Z]{5}$/.test(current.code))
      return current as Error & { code: string; constraint?: string };
  return undefined;
}

/**
 * Runs a write and turns broken constraints into field errors: `{ area_name_unique: ['name', 'name_taken'] }`.
 * A foreign key that still points at a deleted row is `in_use`.
 */
export async function mapConstraints<Result>(
  fields: Record<string, [path: string, issue: IssueMessage]>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const found = databaseError(error);
    const field = found?.constraint === undefined ? undefined : fields[found.constraint];
    if (field) throw invalid(...field);
    if (found?.code === '23503') throw new ApiError('in_use');
    throw error;
  }
}
