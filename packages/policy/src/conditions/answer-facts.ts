import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import { lowerAscii, parseWhole } from '../lib/text.ts';
import type { Fact } from './condition.ts';

/** What conditions ask of an answer's header, as the origin or the cache gave it. */

const answerFields: Partial<Record<ConditionFieldName, true>> = {
  response_status: true,
  response_header: true,
  response_content_type: true,
  response_size: true,
  response_cache: true,
  response_origin_ms: true,
};
export const isAnswerField = (field: ConditionFieldName): boolean => answerFields[field] === true;

/** An answer that is described, not under way. What is not given nobody says. */
export interface DescribedAnswer {
  status?: number;
  /** `HIT`, `MISS` and so on. */
  cache?: string;
  /** Its lines in their order, names in any case. */
  headers?: { name: string; value: string }[];
  originMs?: number;
}

/** The values of a header field, each line by itself. */
export type LinesOf = (this: void, name: string) => string[] | undefined;

/** What of the header is asked by a name of its own. */
export function answerHeaderFact(field: ConditionFieldName, name: string, linesOf: LinesOf): Fact {
  if (field === 'response_header') return linesOf(name);
  if (field === 'response_content_type') return linesOf('content-type');
  const stated = linesOf('content-length');
  return stated === undefined ? undefined : parseWhole(stated[0] ?? '');
}

/** False: not known. */
export function answerFact(
  field: ConditionFieldName,
  name: string,
  answer: DescribedAnswer | undefined,
): Fact {
  if (answer === undefined) return false;
  if (field === 'response_status') return answer.status;
  if (field === 'response_cache') return answer.cache;
  if (field === 'response_origin_ms') return answer.originMs;
  const { headers } = answer;
  if (headers === undefined) return false;
  return answerHeaderFact(field, name, (wanted) => {
    const lines: string[] = [];
    for (const line of headers) if (lowerAscii(line.name) === wanted) lines.push(line.value);
    return lines.length === 0 ? undefined : lines;
  });
}
