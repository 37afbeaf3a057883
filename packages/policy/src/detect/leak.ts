import type { LeakKind } from '@breakwater/contract/site-config/used-system-rule';
import { addDatabaseErrors, addStackTraces } from './leak-errors.ts';
import { addFiles } from './leak-files.ts';
import { addCredentials, addPrivateKeys } from './leak-secrets.ts';
import { isBinary, withoutMark, type LeakAnswer } from './leak-text.ts';
import { blocks, hasException, logScore } from './score.ts';
import type { Finder, LeakSettings } from './types.ts';

/** What should never leave a server, in the beginning of an answer. Scores mean what those of requests do (`score.ts`). */
export interface Leak {
  kind: LeakKind;
  score: number;
  /** For the log: by what it was told. Nothing of what is secret. */
  shown: string;
}

export interface LeakVerdict {
  worst: Leak | undefined;
  blocks: boolean;
}

const finder: Finder = { name: 'leak', group: 'leak' };

/** `target`: what the origin was asked for; `time`: now, in seconds since 1970. */
export function judgeLeaks(
  answer: LeakAnswer,
  { mode, exceptions }: LeakSettings,
  request: { target: string; time: number },
): LeakVerdict {
  let worst: Leak | undefined;
  for (const leak of leaksIn(answer))
    if (
      leak.score >= logScore &&
      (worst === undefined || leak.score > worst.score) &&
      !hasException(exceptions, request, { name: leak.kind }, finder)
    )
      worst = leak;
  return { worst, blocks: worst !== undefined && blocks(mode, worst.score) };
}

/** All that is found. */
export function leaksIn(given: LeakAnswer): Leak[] {
  const answer: LeakAnswer = { ...given, text: withoutMark(given.text) };
  const found: Leak[] = [];
  addFiles(answer, found);
  if (answer.type === 'file' && isBinary(answer.text)) return found;
  addPrivateKeys(answer, found);
  addCredentials(answer, found);
  addDatabaseErrors(answer, found);
  addStackTraces(answer, found);
  return found;
}
