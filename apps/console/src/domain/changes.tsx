import type { EventSubject } from '@breakwater/contract';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { createContext, Suspense, use, type ComponentType } from 'react';
import { DiffView } from '../kit/diff-view.tsx';

/** What says changes of a kind of thing in words; without one they are shown as they are kept. */
export type ChangeViews = Partial<Record<EventSubject, ComponentType<{ entries: readonly DiffEntry[] }>>>;

const ChangeViewsContext = createContext<ChangeViews>({});
export const ChangeViewsProvider = ChangeViewsContext.Provider;

/** What was changed of a thing, in the words of its screen where it has them. */
export function Changes({ of, entries }: { of: EventSubject; entries: readonly DiffEntry[] }) {
  const View = use(ChangeViewsContext)[of] ?? DiffView;
  return (
    <Suspense>
      <View entries={entries} />
    </Suspense>
  );
}
