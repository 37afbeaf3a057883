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
  /** Of one that time mends: when to come again. */
  readonly retrySeconds: number | undefined;

  constructor(error: ErrorName, fields: readonly FieldIssue[] = [], retrySeconds?: number) {
    super(error);
    this.retrySeconds = retrySeconds;
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

/** An error and what stands behind it: drizzle wraps those of PostgreSQL, Node the tries for each address of a name. */
function* causesOf(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  yield error;
  yield* causesOf(error.cause);
  if (error instanceof AggregateError) for (const each of error.errors) yield* causesOf(each);
}

/** The PostgreSQL error behind a failed query, if it is one: its code is an SQLSTATE, which `EPIPE` is not. */
export function databaseError(error: unknown): { code: string; constraint?: string } | undefined {
  for (const cause of causesOf(error))
    if ('code' in cause && typeof cause.code === 'string' && /^[\dFHPX][0-9A-Z]{4}$/.test(cause.code))
      return cause as Error & { code: string; constraint?: string };
  return undefined;
}

/**
 * SQLSTATEs of a PostgreSQL that is not there, ends, starts, has no connection left, or only reads as its successor takes
 * over (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const awayStates = /^(?:08|57P0[1-5]|53300|25006)/;
/** `pg` says these without a code. */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired)/;

/** Whether PostgreSQL could not be reached, or the connection broke: the same may work a moment later. */
export function isDatabaseAway(error: unknown): boolean {
  if (awayStates.test(databaseError(error)?.code ?? '')) return true;
  for (const cause of causesOf(error)) {
    // Of the socket: connecting, or in the middle of something.
    if ('syscall' in cause && /^(?:connect|read|write|getaddrinfo)$/.test(String(cause.syscall))) return true;
    if (brokenConnection.test(cause.message)) return true;
  }
  return false;
}

/**
 * Whether PostgreSQL ended it: a statement or a wait for a lock took too long, or a transaction did nothing. The same may
 * work a moment later.
 */
export function ranOutOfTime(error: unknown): boolean {
  return /^(?:57014|55P03|25P03)$/.test(databaseError(error)?.code ?? '');
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
