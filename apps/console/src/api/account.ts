import {
  allows,
  type Access,
  type Account,
  type Holder,
  type RouteName,
  type ScreenId,
} from '@breakwater/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { FatalError } from './fatal-error.ts';
import { apiQuery } from './query.ts';
import { routeOf, screenOf } from './tables.ts';

export const accountQuery = () => ({ ...apiQuery('currentAccount', {}), staleTime: 60_000 });

/** Who is signed in. The shell loads it before it shows a screen. */
export function useAccount(): Account {
  const { data } = useQuery(accountQuery());
  if (!data) throw new FatalError('no account is loaded');
  return data;
}

/** Who is signed in, as the contract's check of routes and screens takes them. */
export const holderOf = ({ role, permissions, limited }: Account): Holder => ({
  role,
  limited,
  permissions: new Set(permissions),
});

export function useHolder(): Holder {
  const account = useAccount();
  return useMemo(() => holderOf(account), [account]);
}

/** What is not known is for others. */
const isAllowed = (known: { access: Access } | undefined, holder: Holder): boolean =>
  known !== undefined && allows(known.access, holder);

/** Whether this account may call a route. */
export function useMay(): (name: RouteName) => boolean {
  const holder = useHolder();
  return useCallback((name) => isAllowed(routeOf(name), holder), [holder]);
}

/** Whether this account may open a screen. */
export function useMayOpen(): (id: ScreenId) => boolean {
  const holder = useHolder();
  return useCallback((id) => isAllowed(screenOf(id), holder), [holder]);
}
