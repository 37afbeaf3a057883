import { ApiError } from './api-error.ts';

const joinedMax = 4000;

/**
 * Notes of two people about the same, of which neither is lost: each on lines of its own, the same one once. Throws `too_many`
 * where there would be more than 4,000 characters.
 */
export function joinNotes(standing: string, added: string): string {
  if (standing.includes(added)) return standing;
  const joined = standing === '' ? added : `${standing}\n${added}`;
  if (joined.length > joinedMax) throw new ApiError('too_many');
  return joined;
}
