import { lineGroupRoutes } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import type { Row } from '../../api/client.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { LineGroupForm } from './line-group-form.tsx';
import { lineGroupText } from './line-group.text.ts';

type LineGroupRow = Row<'listLineGroups'>;

export const firstRead = firstPageOf('listLineGroups', lineGroupRoutes.listLineGroups.query);

export function LineGroupList() {
  const t = useText(lineGroupText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(lineGroupRoutes.listLineGroups.query);
  const lineGroups = useApi('listLineGroups', { query: search }, { keepPrevious: true });
  const remove = useChange('removeLineGroup');
  const [editing, setEditing] = useState<LineGroupRow | 'new' | null>(null);
  const [removing, setRemoving] = useState<LineGroupRow | null>(null);
  const denied = may('createLineGroup') ? undefined : kit.noPermission;

  const columns = useMemo<Column<LineGroupRow>[]>(
    () => [
      {
        id: 'name',
        header: t.name,
        cell: (row) => <TextLink target={to.lineGroupDetail({ id: row.id })}>{row.name}</TextLink>,
      },
      { id: 'description', header: t.description, cell: (row) => row.description || '–' },
      { id: 'nodes', header: t.nodes, align: 'right', cell: (row) => row.node_count },
      {
        id: 'sites',
        header: t.sites,
        align: 'right',
        cell: (row) => <TextLink target={to.sites({ line_group_id: row.id })}>{row.site_count}</TextLink>,
      },
      { id: 'updated', header: t.updated, cell: (row) => <Time at={row.updated_at} /> },
    ],
    [t],
  );
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="line-groups"
        columns={columns}
        read={lineGroups}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onPage={setSearch}
        filtered={search.name !== undefined}
        filters={
          <FilterBar
            fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="line-group" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(row) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(row), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(row),
            disabledReason: denied,
          },
        ]}
      />
      {editing && (
        <LineGroupForm lineGroup={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}
