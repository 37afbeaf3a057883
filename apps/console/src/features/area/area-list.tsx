import { areaRoutes } from '@breakwater/contract';
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
import { AreaForm } from './area-form.tsx';
import { areaText } from './area.text.ts';

type AreaRow = Row<'listAreas'>;

export const firstRead = firstPageOf('listAreas', areaRoutes.listAreas.query);

export function AreaList() {
  const t = useText(areaText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(areaRoutes.listAreas.query);
  const areas = useApi('listAreas', { query: search }, { keepPrevious: true });
  const remove = useChange('removeArea');
  const [editing, setEditing] = useState<AreaRow | 'new' | null>(null);
  const [removing, setRemoving] = useState<AreaRow | null>(null);
  const denied = may('createArea') ? undefined : kit.noPermission;

  const columns = useMemo<Column<AreaRow>[]>(
    () => [
      { id: 'name', header: t.name, cell: (area) => area.name },
      { id: 'description', header: t.description, cell: (area) => area.description || '–' },
      {
        id: 'nodes',
        header: t.nodes,
        align: 'right',
        cell: (area) => <TextLink target={to.nodes({ area_id: area.id })}>{area.node_count}</TextLink>,
      },
      { id: 'created', header: t.created, cell: (area) => <Time at={area.created_at} /> },
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
        id="areas"
        columns={columns}
        read={areas}
        rowKey={(area) => area.id}
        rowName={(area) => area.name}
        onPage={setSearch}
        filtered={search.name !== undefined}
        filters={
          <FilterBar
            fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="area" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(area) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(area), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(area),
            disabledReason: denied ?? (area.node_count > 0 ? t.hasNodes : undefined),
          },
        ]}
      />
      {editing && <AreaForm area={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
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
