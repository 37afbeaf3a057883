import { ipAddress } from '@breakwater/contract';
import type { ReactNode } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { listsUsableBy, ownLists } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import {
  ConditionDataProvider,
  type AddressProps,
  type ConditionData,
} from '../../domain/condition/condition-data.ts';
import type { Choices } from '../../kit/fields/choices.ts';
import { useLevel } from './section/host.tsx';
import { useSiteIfAny } from './context.tsx';

/** The lists that rules here may name: of a site its customer's, of a level by whose it is; the platform's with them. */
export function useListChoices(): Choices {
  const admin = useAccount().role === 'admin';
  const site = useSiteIfAny();
  const level = useLevel();
  const client = site?.site.client_id ?? (level?.ref.level === 'client' ? level.ref.target_id : undefined);
  return admin ? listsUsableBy(client ?? 'platform') : ownLists;
}

function Lists({ children }: Parameters<ConditionData['Lists']>[0]): ReactNode {
  return children(useListChoices());
}

function Address({ ip, lists, robot, children }: AddressProps): ReactNode {
  const may = useMay()('lookUpAddress');
  const isAsked = may && ip !== undefined && ipAddress.safeParse(ip).success;
  const { data } = useApi(
    'lookUpAddress',
    {
      query: {
        ip: ip ?? '',
        ...(lists.length > 0 ? { lists: lists.join(',') } : {}),
        ...(robot ? { robot: '1' as const } : {}),
      },
    },
    { enabled: isAsked },
  );
  if (!isAsked || data === undefined) return children(undefined);
  return children({
    place: data.place,
    asn: data.asn,
    lists: Object.fromEntries(data.lists.map(({ id, listed }) => [id, listed])),
    robot: data.robot ?? undefined,
  });
}

const data: ConditionData = { Lists, Address };

/** Gives the editors of conditions below what they ask for. */
export function SiteConditionData({ children }: { children: ReactNode }) {
  return <ConditionDataProvider value={data}>{children}</ConditionDataProvider>;
}
