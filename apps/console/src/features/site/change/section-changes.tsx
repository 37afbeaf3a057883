import type { SiteSection } from '@breakwater/contract';
import type { DiffEntry, JsonValue } from '@breakwater/contract/json-diff';
import { useMemo } from 'react';
import { useLanguage } from '../../../i18n/language.ts';
import { ChangeLines, Lines, useNames } from './changes.tsx';
import { sayValueAt } from './words.ts';

interface OfSection {
  section: SiteSection;
}

/**
 * What somebody else changed of a section, for the notice of a form. Paths in a form begin below the section, words above it.
 */
export function SectionChanges({ section, entries }: OfSection & { entries: readonly DiffEntry[] }) {
  const whole = useMemo(
    () => entries.map((entry) => ({ ...entry, path: `${section}.${entry.path}` })),
    [entries, section],
  );
  return <ChangeLines entries={whole} />;
}

/** What stands at a path of a section: a value in words, or the items of a list. */
export function SectionValue({ section, path, value }: OfSection & { path: string; value: unknown }) {
  const language = useLanguage();
  const entries = useMemo<DiffEntry[]>(
    () => [{ path: `${section}.${path}`, after: value as JsonValue }],
    [section, path, value],
  );
  const names = useNames(entries, language);
  const said = sayValueAt(entries[0]!, language, names);
  if (said === undefined) return <ChangeLines entries={entries} />;
  return typeof said === 'string' ? said : <Lines as="ol" lines={said} />;
}
