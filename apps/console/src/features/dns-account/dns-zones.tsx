import type { DnsAccount } from '@breakwater/contract';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { textOf } from '../../kit/filter/filter-field.ts';
import { FilterInput } from '../../kit/filter/filter-input.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { usePaging } from '../../kit/table/use-paging.ts';
import { dnsAccountText } from './dns-account.text.ts';

/** What an account manages, as its provider says now. */
export function DnsZones({ account, onClose }: { account: DnsAccount; onClose: () => void }) {
  const t = useText(dnsAccountText);
  const [name, setName] = useState('');
  const [paging, onPage] = usePaging('dns-zones', 20);
  const { id } = account;
  const query = { ...paging, ...(name === '' ? {} : { name }) };
  // Asked of the provider each time, page by page.
  const zones = useApi('listDnsZones', { params: { id }, query }, { keepPrevious: true });
  return (
    <InfoDrawer title={t.zonesOf(account.name)} onClose={onClose}>
      <DataTable
        label={t.zones}
        id="dns-zones"
        columns={[{ id: 'name', header: t.zone, cell: (zone) => zone.name }]}
        read={zones}
        rowKey={(zone) => zone.name}
        rowName={(zone) => zone.name}
        filtered={name !== ''}
        filters={
          <FilterInput
            field={{ kind: 'text', name: 'name', label: t.zone }}
            values={{ name }}
            onChange={(values) => {
              setName(textOf(values['name']));
              onPage({ current_page: 1 });
            }}
          />
        }
        onPage={onPage}
        empty={<EmptyState icon="domain" title={t.noZones} hint={t.noZonesHint} />}
      />
    </InfoDrawer>
  );
}
