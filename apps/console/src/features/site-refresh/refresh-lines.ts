import { refreshTarget } from '@breakwater/contract';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { siteRefreshText } from './site-refresh.text.ts';

/** A text with a URL, a folder or a tag on each line, and what is wrong with which of them. */

export interface BadLine {
  /** From 1, as the text counts them. */
  line: number;
  message: string;
}

/** Those with something on them. */
export const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((line) => line.text !== '');

/** Of lines that are URLs. */
export const hostsOf = (text: string): string[] => [
  ...new Set(linesOf(text).flatMap((line) => refreshTarget(line.text)?.host ?? [])),
];

/** One for each line that something is said of. */
export function badLines(
  lines: readonly { line: number }[],
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): BadLine[] {
  const bad = new Map<number, BadLine>();
  for (const { path, message } of issues) {
    const line =
      (path[0] === 'urls' || path[0] === 'tags') && path.length > 1
        ? lines[Number(path[1])]?.line
        : undefined;
    // One problem for each line is enough to look at it.
    if (line !== undefined && !bad.has(line)) bad.set(line, { line, message });
  }
  return [...bad.values()];
}

const shownMax = 5;

/** One sentence for all of them. */
export function useComplaint(): (bad: readonly BadLine[]) => string {
  const t = useText(siteRefreshText);
  const language = useLanguage();
  const messageOf = useFieldMessage();
  return (bad) => {
    const lines = bad.slice(0, shownMax).map(({ line, message }) => t.line(line, messageOf(message) ?? ''));
    const rest = bad.length > shownMax ? `; ${t.more(bad.length - shownMax)}` : '';
    return t.refusedLines(lines.join(language === 'zh' ? '；' : '; ')) + rest;
  };
}
