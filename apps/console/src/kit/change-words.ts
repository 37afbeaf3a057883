import type { DiffEntry } from '@breakwater/contract/json-diff';
import { createContext, type ComponentType } from 'react';
import { DiffView, RawValue } from './diff-view.tsx';

/** How changed values are told. */
export interface ChangeWords {
  Changes: ComponentType<{ entries: readonly DiffEntry[] }>;
  /** What stands at a dotted path. */
  Value: ComponentType<{ path: string; value: unknown }>;
}

/** Where nobody knows words for them they are shown as they are kept. */
export const ChangeWordsContext = createContext<ChangeWords>({ Changes: DiffView, Value: RawValue });
