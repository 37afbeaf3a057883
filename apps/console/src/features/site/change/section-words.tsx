import type { SiteSection } from '@breakwater/contract';
import type { ChangeWords } from '../../../kit/change-words.ts';
import { lazyPart } from '../../../kit/lazy-part.tsx';

/** Fetched when somebody else's changes are first to be told of. */
const Changes = lazyPart(async () => (await import('./section-changes.tsx')).SectionChanges);
const Value = lazyPart(async () => (await import('./section-changes.tsx')).SectionValue);

const known = new Map<SiteSection, ChangeWords>();

/** How changes within the form of a section are told, whose paths begin below the section. */
export function wordsOfSection(section: SiteSection): ChangeWords {
  const words = known.get(section) ?? {
    Changes: (props) => <Changes section={section} {...props} />,
    Value: (props) => <Value section={section} {...props} />,
  };
  known.set(section, words);
  return words;
}
