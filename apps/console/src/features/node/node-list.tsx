import { nodeRoutes, type Node } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useAreaOptions, useLineGroupOptions } from '../../api/options.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { formatCount } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Meter } from '../../kit/meter.tsx';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { NodeForm } from './node-form.tsx';
import { NodeStatus, stateInterval } from './node-status.tsx';
import { nodeText } from './node.text.ts';

export const firstRead = firstPageOf('listNodes', nodeRoutes.listNodes.query);

export function NodeList() {
  const t = useText(nodeText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(nodeRoutes.listNodes.query);
  const nodes = useApi(
    'listNodes',
    { query: search },
    { keepPrevious: true, refetchInterval: stateInterval },
  );
  const areas = useAreaOptions();
  const lineGroups = useLineGroupOptions();
  const remove = useChange('removeNode', ['listNodes', 'listAreas']);
  const [editing, setEditing] = useState<Node | 'new' | null>(null);
  const [removing, setRemoving] = useState<Node | null>(null);
  const denied = may('createNode') ? undefined : kit.noPermission;
  const columns = useNodeColumns();
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="nodes"
        columns={columns}
        read={nodes}
        rowKey={(node) => node.id}
        rowName={(node) => node.name}
        onPage={setSearch}
        filtered={[search.name, search.ip, search.area_id, search.line_group_id].some(
          (value) => value !== undefined,
        )}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              { name: 'name', label: t.name, kind: 'text', inBar: true },
              { name: 'ip', label: t.ip, kind: 'text', inBar: true },
              { name: 'area_id', label: t.area, kind: 'select', options: areas },
              { name: 'line_group_id', label: t.lineGroup, kind: 'select', options: lineGroups },
            ]}
          />
        }
        empty={<EmptyState icon="node" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(node) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(node), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(node),
            disabledReason: denied ?? (node.line_groups.length > 0 ? t.isBound : undefined),
          },
        ]}
      />
      {editing && (
        <NodeForm
          node={editing === 'new' ? null : editing}
          areaId={search.area_id}
          onClose={() => setEditing(null)}
        />
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

function useNodeColumns(): Column<Node>[] {
  const t = useText(nodeText);
  return useMemo(
    () => [
      {
        id: 'name',
        header: t.name,
        cell: (node) => (
          <div>
            <TextLink target={to.nodeDetail({ id: node.id })}>{node.name}</TextLink>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {node.ip}
            </Typography>
          </div>
        ),
      },
      { id: 'status', header: t.status, cell: (node) => <NodeStatus node={node} /> },
      { id: 'area', header: t.area, cell: (node) => node.area_name },
      {
        id: 'load',
        header: t.load,
        width: 240,
        cell: ({ state }) =>
          state && (
            <Stack
              sx={{
                flexDirection: { xs: 'column', sm: 'row' },
                gap: { xs: 0.5, sm: 1.5 },
                '& > *': { flex: 1, minWidth: { xs: 120, sm: 96 } },
              }}
            >
              <Meter label={t.cpu} share={state.cpu_share} />
              <Meter label={t.memory} share={state.memory_used / Math.max(1, state.memory_total)} />
              <Meter label={t.disk} share={state.disk_used / Math.max(1, state.disk_total)} />
            </Stack>
          ),
      },
      {
        id: 'connections',
        header: t.connections,
        align: 'right',
        cell: ({ state }) => (state ? formatCount(state.connections) : '–'),
      },
      {
        id: 'lineGroups',
        header: t.lineGroups,
        cell: (node) => node.line_groups.map(({ name }) => name).join(', ') || '–',
      },
      { id: 'version', header: t.version, hidden: true, cell: (node) => node.agent_version || '–' },
      { id: 'lastReport', header: t.lastReport, cell: (node) => <Time at={node.status_time} relative /> },
    ],
    [t],
  );
}
