import { isAddressEntry } from './address-entry.ts';

export const addressListEntriesMax = 100_000;

/** What stands on the lines of a list: an entry each, with a comment behind `#` or `;`, or nothing. */
export function entriesOfLines(content: string): { line: number; entry: string }[] {
  const entries: { line: number; entry: string }[] = [];
  content.split(/\r\n|\r|\n/).forEach((text, index) => {
    const entry = text.replace(/[#;].*$/, '').trim();
    if (entry !== '') entries.push({ line: index + 1, entry });
  });
  return entries;
}

export type LinesProblem = `address_list_line:${number}` | 'address_list_long';

/** The first line that is not what a list holds: a key of `issues` with its number. */
export function problemOfLines(entries: { line: number; entry: string }[]): LinesProblem | undefined {
  if (entries.length > addressListEntriesMax) return 'address_list_long';
  const wrong = entries.find(({ entry }) => !isAddressEntry(entry));
  return wrong && `address_list_line:${wrong.line}`;
}
