import { csvOf } from './csv.ts';
import type { ShownRows } from './shown-rows.ts';

/** Without the mark that only a file needs. */
export const asCsv = ({ headers, cells }: ShownRows): string => csvOf([headers, ...cells]).slice(1);

export const asJson = (rows: readonly object[]): string => `${JSON.stringify(rows, null, 2)}\n`;

/** A table of GitHub Flavored Markdown: what would end a cell or be read as HTML is written so that it is not. */
export function asMarkdown({ headers, cells }: ShownRows): string {
  const line = (texts: readonly string[]) => `| ${texts.map(markdownCell).join(' | ')} |`;
  return `${[line(headers), line(headers.map(() => '---')), ...cells.map(line)].join('\n')}\n`;
}

const markdownCell = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ');
