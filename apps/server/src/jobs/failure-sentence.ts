import { DrizzleQueryError } from 'drizzle-orm';

const sentenceMax = 500;

/** What went wrong, to be stored. Of a failed query what PostgreSQL said, without its parameters: they may be secrets. */
export function failureSentence(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof DrizzleQueryError)
      return at.cause instanceof Error ? at.cause.message.slice(0, sentenceMax) : 'a query failed';
  return (error instanceof Error ? error.message : String(error)).slice(0, sentenceMax);
}
