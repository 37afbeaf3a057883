import type { ProvidersOf, RouteName } from '@breakwater/contract';
import type { Row } from '../../api/client.ts';
import type { accountWords } from './words.text.ts';

/** Accounts that can be tested, as their calls name them. */
export type AccountKind = {
  [Name in RouteName]: Name extends `test${infer Kind}Account` ? `${Kind}Account` : never;
}[RouteName];

/** One of them, as its list answers it. */
export type AccountOf<Kind extends AccountKind> = Row<`list${Kind}s`> & Account;

/** What all of them have. */
export interface Account {
  id: number;
  version: number;
  name: string;
  provider: string;
  params: object;
  checked_at: string | null;
  last_error: string;
}

export type AccountText = typeof accountWords.en & {
  title: string;
  subtitle: string;
  name: string;
  add: string;
  edit: string;
  empty: string;
  emptyHint: string;
  saved: string;
  removed: string;
  removeTitle: string;
  removeBody: (name: string) => string;
};

/** What tells the accounts of one family from those of another. */
export interface AccountFamily<Kind extends AccountKind> {
  kind: Kind;
  text: AccountText;
  /** In the order in which they are offered. */
  providers: ProvidersOf;
}
