import type { Account, RouteName } from '@breakwater/contract';
import { useQuery } from '@tanstack/react-query';
import routeTable from 'virtual:routes';
import { FatalError } from './fatal-error.ts';
import { apiQuery } from './query.ts';

export const accountQuery = () => ({ ...apiQuery('currentAccount', {}), staleTime: 60_000 });

/** Who is signed in. The shell loads it before it shows a screen. */
export function useAccount(): Account {
  const { data } = useQuery(accountQuery());
  if (!data) throw new FatalError('no account is loaded');
  return data;
}

/** Whether the contract lets this account call a route. */
function may(account: Account, name: RouteName): boolean {
  const { access } = routeTable[name]!;
  if (access.kind === 'public') return true;
  if (access.kind === 'node') return false;
  if (account.role === 'user') return access.kind !== 'admin';
  return access.kind !== 'user' && account.group !== undefined && access.groups.includes(account.group);
}

export function useMay(): (name: RouteName) => boolean {
  const account = useAccount();
  return (name) => may(account, name);
}
