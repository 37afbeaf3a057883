import { submittedTexts } from '../detect/submitted.ts';

interface SubmittedCase {
  type: string;
  body: string;
  secret_names?: string[];
  /** The body is so many times as long. */
  times?: number;
}

/** What of a request's content is handed over: so many texts, as they stand, or how long each is. */
export function runSubmittedVector({
  type,
  body,
  secret_names: secretNames = [],
  times,
}: SubmittedCase): unknown {
  let whole = body;
  if (times !== undefined) {
    const copies: string[] = [];
    for (let n = 0; n < times; n++) copies.push(body);
    whole = copies.join('');
  }
  const texts = submittedTexts({ type, body: whole, secretNames });
  if (times === undefined) return { texts: texts.join(' | ') };
  const lengths: string[] = [];
  for (const text of texts) lengths.push(`${text.length}`);
  return { lengths: lengths.join(' ') };
}
