import type { Menu, MenuEntry } from '@breakwater/contract';

/** One entry that the search finds: where it leads and the section it is shown under. */
export interface SearchEntry {
  title: string;
  path: string;
  group: string;
}

/** Every entry of the menu that leads somewhere. A group's name stands with its entries. */
export function indexMenu(menu: Menu): SearchEntry[] {
  const within = (entry: MenuEntry, group: string): SearchEntry[] => [
    ...(entry.path === undefined || entry.disabled ? [] : [{ title: entry.title, path: entry.path, group }]),
    ...(entry.children ?? []).flatMap((child) => within(child, `${group} · ${entry.title}`)),
  ];
  return menu.flatMap(({ subheader, items }) => items.flatMap((item) => within(item, subheader)));
}

/** Entries whose title or path holds the query, whatever the case. */
export function findEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return entries.filter(
    ({ title, path }) => title.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted),
  );
}

/** A text in parts, those that match the query marked. */
export function highlight(text: string, query: string): { text: string; match: boolean }[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [{ text, match: false }];
  const parts: { text: string; match: boolean }[] = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (let found = lower.indexOf(wanted); found !== -1; found = lower.indexOf(wanted, at)) {
    if (found > at) parts.push({ text: text.slice(at, found), match: false });
    parts.push({ text: text.slice(found, found + wanted.length), match: true });
    at = found + wanted.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), match: false });
  return parts;
}
