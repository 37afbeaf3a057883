import { issueText } from '@breakwater/contract';
import * as z from 'zod';
import type { Fields } from '../../api/search-values.ts';
import { useLanguage } from '../../i18n/language.ts';
import { issueKey } from '../form/issue-key.ts';
import type { ProblemOf } from './filter-input.tsx';

/** Says of what was typed into a filter why its query does not take it: an address that holds it would be read without it. */
export function useFilterProblems(query: z.ZodObject<Fields>): ProblemOf {
  const language = useLanguage();
  return (name, value) => {
    const field = query.shape[name];
    const { error } = field ? z.safeParse(field, value, { error: issueKey }) : {};
    return error && (issueText(error.issues[0]!.message, language) ?? error.issues[0]!.message);
  };
}
