import type { DiffEntry } from '@breakwater/contract/json-diff';

/** What an event says besides: never a secret. */
export interface EventData {
  /** The section of a configuration. */
  section?: string;
  changes?: DiffEntry[];
  /** So many changes more did not find room. */
  more?: number;
  /** Anything else, by its name: a domain, a version, what a node complained of. */
  facts?: Record<string, string | number>;
}
