import { dataExportRoutes, exportDays, type DataExport, type ExportStatus } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { fetchFile } from '../../api/client.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { ExportFilters } from './data-export-filters.tsx';
import { dataExportText } from './data-export.text.ts';

const tones: Record<ExportStatus, Tone> = {
  pending: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
};
const busy = ({ status }: DataExport) => status === 'pending' || status === 'running';

export const firstRead = firstPageOf('listDataExports', dataExportRoutes.listDataExports.query);

export function DataExportList() {
  const t = useText(dataExportText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(dataExportRoutes.listDataExports.query);
  const exports = useApi(
    'listDataExports',
    { query: search },
    { keepPrevious: true, refetchInterval: (last) => (last?.list.some(busy) ? 1000 : false) },
  );
  const remove = useChange('removeDataExport');
  const [removing, setRemoving] = useState<DataExport | null>(null);
  const denied = may('removeDataExport') ? undefined : kit.noPermission;
  const fromLogs = (
    <LinkButton target={to.accessLogs()} icon="log" variant="contained">
      {t.fromLogs}
    </LinkButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle(exportDays)} actions={fromLogs}>
      <DataTable
        label={t.title}
        id="data-exports"
        columns={useDataExportColumns()}
        read={exports}
        rowKey={({ id }) => id}
        rowName={({ id }) => t.name(id)}
        onPage={setSearch}
        empty={<EmptyState icon="download" title={t.empty} hint={t.emptyHint} action={fromLogs} />}
        rowActions={(row) => [
          {
            label: t.download,
            icon: 'download',
            onClick: () => void download(row.id),
            disabledReason: row.status === 'done' ? denied : t.statuses[row.status],
          },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(row),
            disabledReason: denied,
          },
        ]}
      />
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody}
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

async function download(id: number): Promise<void> {
  try {
    const { name, content } = await fetchFile('downloadDataExport', { params: { id } });
    saveFile(name, content);
  } catch (error) {
    notify.error(error instanceof Error ? error.message : String(error));
  }
}

function useDataExportColumns(): Column<DataExport>[] {
  const t = useText(dataExportText);
  return useMemo(
    () => [
      { id: 'name', header: t.file, cell: ({ id }) => t.name(id) },
      {
        id: 'status',
        header: t.status,
        cell: (row) => (
          <StatusChip
            tone={tones[row.status]}
            busy={busy(row)}
            label={t.statuses[row.status]}
            hint={row.status === 'failed' ? t.failedHint : undefined}
          />
        ),
      },
      {
        id: 'records',
        header: t.records,
        align: 'right',
        cell: (row) =>
          busy(row)
            ? `${formatCount(row.records_done)} / ${formatCount(row.records_total)}`
            : formatCount(row.records_done),
      },
      { id: 'format', header: t.format, cell: ({ format }) => t.formats[format] },
      {
        id: 'size_bytes',
        header: t.size,
        align: 'right',
        cell: ({ status, size_bytes }) => (status === 'done' ? formatBytes(size_bytes) : '–'),
      },
      { id: 'filters', header: t.filters, cell: ({ filters }) => <ExportFilters filters={filters} /> },
      { id: 'created_by', header: t.createdBy, cell: ({ created_by }) => created_by },
      { id: 'created_at', header: t.createdAt, cell: ({ created_at }) => <Time at={created_at} /> },
      { id: 'expires_at', header: t.expiresAt, cell: ({ expires_at }) => <Time at={expires_at} relative /> },
    ],
    [t],
  );
}
