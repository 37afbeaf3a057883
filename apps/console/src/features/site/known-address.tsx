import { ipAddress } from '@breakwater/contract';
import type { ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import type { AddressProps } from '../../domain/condition/condition-data.ts';

/** What the server knows of an address that a condition is tried with. */
export function KnownAddress({ ip, lists, robot, children }: AddressProps): ReactNode {
  const may = useMay()('lookUpAddress');
  // An address that is half typed is none, and would be refused.
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
