import type { EventSubject } from '@breakwater/contract';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { createContext, Suspense, use, type ComponentType } from 'react';
import { ChangeWordsContext } from '../kit/change-words.ts';

/** What says changes of a kind of thing in words of its own. */
export type ChangeViews = Partial<Record<EventSubject, ComponentType<{ entries: readonly DiffEntry[] }>>>;

const ChangeViewsContext = createContext<ChangeViews>({});
export const ChangeViewsProvider = ChangeViewsContext.Provider;

/** What was changed of a thing, in its own words or in those that all things share; nothing of one, what is told besides. */
export function Changes({ of, entries }: { of?: EventSubject; entries: readonly DiffEntry[] }) {
  const { Changes: Others } = use(ChangeWordsContext);
  const views = use(ChangeViewsContext);
  const View = (of && views[of]) ?? Others;
  return (
    <Suspense>
      <View entries={entries} />
    </Suspense>
  );
}
