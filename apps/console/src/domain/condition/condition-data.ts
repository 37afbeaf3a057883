import { createContext, use, type ReactNode } from 'react';
import type { Choices } from '../../kit/fields/choices.ts';
import type { Place } from '@breakwater/policy/address/ip-data';
import type { RobotOfAddress } from '@breakwater/policy/access/search-robots';

/** What conditions ask of that is not in them: whoever shows the editor fetches it, once it is asked for. */
export interface ConditionData {
  /** Address lists that a condition here can name. */
  Lists: (props: ListsProps) => ReactNode;
  /** Those on which a rule here can put visitors. */
  FilledLists: (props: ListsProps) => ReactNode;
  /** What is known of an address; nothing until it is. Without an address nothing is asked. */
  Address: (props: AddressProps) => ReactNode;
}

interface ListsProps {
  children: (lists: Choices) => ReactNode;
}

export interface AddressProps {
  ip: string | undefined;
  lists: readonly string[];
  /** Whether it is asked whose robot the address is. */
  robot: boolean;
  children: (known: KnownAddress | undefined) => ReactNode;
}
export interface KnownAddress {
  place: Place;
  asn: number | null;
  /** Of lists that are known here, whether they name it. */
  lists: Readonly<Record<string, boolean>>;
  /** Absent: not known. */
  robot: RobotOfAddress;
}

const noChoices: Choices = { find: async () => [], named: async () => [] };
const ConditionDataContext = createContext<ConditionData>({
  Lists: ({ children }) => children(noChoices),
  FilledLists: ({ children }) => children(noChoices),
  Address: ({ children }) => children(undefined),
});
export const ConditionDataProvider = ConditionDataContext.Provider;
export const useConditionData = (): ConditionData => use(ConditionDataContext);
