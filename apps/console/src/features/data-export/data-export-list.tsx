import { dataExportRoutes, exportDays, type DataExport, type ExportStatus } from '@breakwater/contract';
import { fetchFile } from '../../api/client.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
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
/** It changes by itself: then it is asked for every second. */
const busy = ({ status }: DataExport) => status === 'pending' || status === 'running';

const exports = listOf('listDataExports', dataExportRoutes.listDataExports.query);
export const { firstRead } = exports;

const useColumns = exports.columns(dataExportText, (t, column) => [
  column.name(t.file, ({ id }) => t.name(id)),
  { id: 'download', header: t.download, cell: (row) => <Download row={row} /> },
  {
    id: 'status',
    whole: true,
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
  column.text('created_by', t.createdBy),
  column.time('created_at', t.createdAt, { relative: true }),
  column.time('expires_at', t.expiresAt, { relative: true }),
]);

/** Exports of log records as files, which are made in the background and kept for some days. */
export function DataExportList() {
  const t = useText(dataExportText);
  const list = exports.use({ refetchInterval: (last) => (last?.list.some(busy) ? 1000 : false) });
  const removal = useRemoval<DataExport>('removeDataExport', { text: t, body: () => t.removeBody });
  const fromLogs = (
    <LinkButton target={to.accessLogs()} icon="log" variant="contained">
      {t.fromLogs}
    </LinkButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle(exportDays)} actions={fromLogs}>
      <ListTable
        id="data-exports"
        list={list}
        text={t}
        icon="export"
        add={fromLogs}
        columns={useColumns()}
        rowName={({ id }) => t.name(id)}
        rowActions={(row) => [removal.action(row)]}
      />
      {removal.dialog}
    </Page>
  );
}

/** What the list is there for, and so not behind the menu of a row. */
function Download({ row: { id, status } }: { row: DataExport }) {
  const t = useText(dataExportText);
  const denial = useDenial();
  return (
    <ActionIcon
      icon="download"
      label={`${t.download}: ${t.name(id)}`}
      onClick={() => void download(id)}
      disabledReason={status === 'done' ? denial('downloadDataExport') : t.statuses[status]}
    />
  );
}

async function download(id: number): Promise<void> {
  try {
    const { name, content } = await fetchFile('downloadDataExport', { params: { id } });
    saveFile(name, content);
  } catch (error) {
    notify.refused(error instanceof Error ? error.message : String(error));
  }
}
