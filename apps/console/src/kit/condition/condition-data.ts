import { createContext, use } from 'react';
import type { Place } from '@breakwater/policy/ip-data';

/** What conditions ask of that is not in them: whoever shows the editor has it fetched. */
export interface ConditionData {
  /** Address lists that a condition here can name, by their ids as text. */
  useLists: () => readonly { value: string; label: string }[];
  /** What is known of an address; nothing until it is. Not asked for without an address. */
  useAddress: (ip: string | undefined, lists: readonly string[]) => KnownAddress | undefined;
}

export interface KnownAddress {
  place: Place;
  /** Of lists that are known here, whether they name it. */
  lists: Readonly<Record<string, boolean>>;
}

const nothing: ConditionData = { useLists: () => [], useAddress: () => undefined };
const ConditionDataContext = createContext(nothing);
export const ConditionDataProvider = ConditionDataContext.Provider;
export const useConditionData = (): ConditionData => use(ConditionDataContext);
