import { errors, issueText, type ErrorName, type IssueMessage, type Language } from '@breakwater/contract';
import type { ItemError } from '../db/schema.ts';

/** Why an item failed, in the reader's language; fields are called as `nameOf` says. Null when nothing went wrong. */
export function errorSentence(
  failure: ItemError | null,
  language: Language,
  nameOf: (path: string) => string = (path) => path,
): string | null {
  if (failure === null) return null;
  if ('text' in failure) return failure.text;
  const sentences = failure.fields.map(({ path, issue, detail = '' }) => {
    const about = nameOf(path);
    return `${about === '' ? '' : `${about}: `}${issueText(issue as IssueMessage, language)! + detail}`;
  });
  return sentences.length > 0 ? sentences.join(' · ') : errors[failure.error as ErrorName][language];
}
