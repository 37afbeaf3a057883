import {
  siteBatchLineStatuses,
  siteBatchRoutes,
  type SiteBatch,
  type SiteBatchLine,
} from '@breakwater/contract';
import { useMemo } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { call } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useIdParam, useSearchState } from '../../kit/search-state.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { csvFile, csvOf } from '../../kit/table/csv.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { BatchState, useBatchName } from './site-batch-state.tsx';
import { siteBatchText } from './site-batch.text.ts';
import { DeliveryChip } from './site-status.tsx';

/** One batch: how far it is, and what became of every line. */
export function SiteBatchDetail() {
  const t = useText(siteBatchText);
  const id = useIdParam();
  const nameOf = useBatchName();
  const batch = useApi(
    'getSiteBatch',
    { params: { id } },
    { refetchInterval: (last) => (last && last.status !== 'running' ? false : 1000) },
  );
  return (
    <DetailPage
      read={batch}
      label={t.detailTitle(id)}
      title={() => t.detailTitle(id)}
      subtitle={nameOf}
      back={{ target: to.siteBatches({ tab: 'list' }), label: t.title }}
      actions={(data) => <BatchActions batch={data} />}
    >
      {(data) => (
        <>
          <Section>
            <Facts
              columns={4}
              facts={[
                { label: t.progress, value: <BatchState batch={data} /> },
                { label: t.result, value: t.counts(data.done, data.failed, data.unchanged, data.cancelled) },
                { label: t.author, value: data.author_name },
                { label: t.started, value: <Time at={data.created_at} /> },
              ]}
            />
          </Section>
          <BatchLines batch={data} />
        </>
      )}
    </DetailPage>
  );
}

function BatchActions({ batch }: { batch: SiteBatch }) {
  const t = useText(siteBatchText);
  const kit = useText(kitText);
  const may = useMay();
  const retry = useChange('retrySiteBatch');
  const cancel = useChange('cancelSiteBatch');
  const params = { id: batch.id };
  const onError = (error: Error) => notify.error(error.message);
  if (batch.status === 'running')
    return (
      <ActionButton
        icon="close"
        variant="outlined"
        color="inherit"
        loading={cancel.isPending}
        disabledReason={may('cancelSiteBatch') ? undefined : kit.noPermission}
        onClick={() => cancel.mutate({ params }, { onSuccess: () => notify.success(t.cancelled), onError })}
      >
        {t.cancel}
      </ActionButton>
    );
  if (batch.failed + batch.cancelled === 0) return null;
  const download = async () => {
    const { lines } = await call('exportFailedBatchLines', { params });
    const rows = lines.map((line) => [String(line.position), line.text, line.reason]);
    saveFile(`batch-${batch.id}-failed.csv`, csvFile(csvOf([[t.line, t.text, t.reason], ...rows])));
  };
  return (
    <>
      {batch.failed > 0 && (
        <ActionButton
          icon="download"
          variant="outlined"
          color="inherit"
          onClick={() => void download().catch((error: Error) => notify.error(error.message))}
        >
          {t.download}
        </ActionButton>
      )}
      <ActionButton
        icon="refresh"
        variant="contained"
        loading={retry.isPending}
        disabledReason={may('retrySiteBatch') ? undefined : kit.noPermission}
        onClick={() =>
          retry.mutate(
            { params },
            {
              onSuccess: ({ lines }) => notify.success(t.retried(lines)),
              onError,
            },
          )
        }
      >
        {batch.failed > 0 ? t.retry : t.resume}
      </ActionButton>
    </>
  );
}

const tones: Record<SiteBatchLine['status'], Tone> = {
  pending: 'info',
  done: 'success',
  unchanged: 'neutral',
  failed: 'error',
  cancelled: 'warning',
};

function BatchLines({ batch }: { batch: SiteBatch }) {
  const t = useText(siteBatchText);
  const [search, setSearch] = useSearchState(siteBatchRoutes.listSiteBatchLines.query);
  const lines = useApi(
    'listSiteBatchLines',
    { params: { id: batch.id }, query: search },
    {
      keepPrevious: true,
      refetchInterval: (last) =>
        batch.status === 'running' || last?.list.some((line) => line.delivery?.status === 'pending')
          ? 1000
          : false,
    },
  );
  const columns = useLineColumns(batch);
  return (
    <DataTable
      label={t.result}
      id="site-batch-lines"
      columns={columns}
      read={lines}
      rowKey={(line) => line.id}
      rowName={(line) => line.text}
      onPage={setSearch}
      filtered={search.status !== undefined}
      filters={
        <FilterBar
          fields={[
            {
              name: 'status',
              label: t.filter,
              kind: 'select',
              inBar: true,
              options: siteBatchLineStatuses.map((value) => ({ value, label: t.states[value] })),
            },
          ]}
          values={search}
          onChange={setSearch}
        />
      }
      empty={<EmptyState icon="task" title={t.noLines} hint={t.noLinesHint} />}
    />
  );
}

function useLineColumns(batch: SiteBatch): Column<SiteBatchLine>[] {
  const t = useText(siteBatchText);
  return useMemo(
    () => [
      { id: 'line', header: t.line, width: 72, cell: (line) => line.position },
      {
        id: 'text',
        header: t.text,
        cell: (line) =>
          line.site_id === null || batch.kind === 'remove' || batch.kind === 'remove_forced' ? (
            line.text
          ) : (
            <TextLink target={to.siteDetail({ id: line.site_id })}>{line.text}</TextLink>
          ),
      },
      {
        id: 'state',
        header: t.state,
        cell: (line) => (
          <StatusChip
            tone={tones[line.status]}
            label={t.states[line.status]}
            busy={line.status === 'pending'}
          />
        ),
      },
      { id: 'reason', header: t.reason, cell: (line) => line.reason ?? '–' },
      {
        id: 'delivery',
        header: t.delivery,
        cell: (line) => (line.delivery ? <DeliveryChip delivery={line.delivery} /> : '–'),
      },
    ],
    [batch.kind, t],
  );
}
