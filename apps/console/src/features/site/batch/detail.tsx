import {
  siteBatchLineStatuses,
  siteBatchRoutes,
  type SiteBatch,
  type SiteBatchLine,
} from '@breakwater/contract';
import { useChange } from '../../../api/change.ts';
import { call } from '../../../api/client.ts';
import { useApi } from '../../../api/query.ts';
import { choices, selectFilter } from '../../../frame/filters.ts';
import { listOf } from '../../../frame/list.ts';
import { ListTable } from '../../../frame/list-table.tsx';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { DetailPage } from '../../../kit/detail-page.tsx';
import { Facts } from '../../../kit/facts.tsx';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { useIdParam } from '../../../kit/id-param.ts';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { csvFile, csvOf } from '../../../kit/table/csv.ts';
import { Time } from '../../../kit/time.tsx';
import { notify } from '../../../kit/toast.ts';
import { BatchState, useBatchName } from './state.tsx';
import { siteBatchText } from './batch.text.ts';
import { DeliveryChip } from '../status.tsx';

/** One batch: how far it is, and what became of every line. */
export function SiteBatchDetail() {
  const t = useText(siteBatchText);
  const id = useIdParam();
  const nameOf = useBatchName();
  const batch = useApi(
    'getSiteBatch',
    { params: { id } },
    // Also before the first answer: a read that failed is tried again.
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
                { label: t.state, value: <BatchState batch={data} /> },
                { label: t.result, value: t.counts(data.done, data.failed, data.unchanged, data.cancelled) },
                { label: t.author, value: data.author_name || t.platform },
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

/**
 * A batch that runs can be ended; afterwards the lines that failed or were not done can be done again, and those
 * that failed be saved as a file, to be mended and pasted anew.
 */
function BatchActions({ batch }: { batch: SiteBatch }) {
  const t = useText(siteBatchText);
  const denial = useDenial();
  const retry = useChange('retrySiteBatch');
  const cancel = useChange('cancelSiteBatch');
  const params = { id: batch.id };
  const onError = (error: Error) => notify.refused(error.message);
  if (batch.status === 'running')
    return (
      <ActionButton
        icon="close"
        variant="outlined"
        color="inherit"
        loading={cancel.isPending}
        disabledReason={denial('cancelSiteBatch')}
        onClick={() => cancel.mutate({ params }, { onSuccess: () => notify.success(t.cancelled), onError })}
      >
        {t.cancel}
      </ActionButton>
    );
  if (batch.failed + batch.cancelled === 0) return null;
  // A list of its own: the table has one page of the lines, the file all that failed.
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
          onClick={() => void download().catch((error: Error) => notify.refused(error.message))}
        >
          {t.download}
        </ActionButton>
      )}
      <ActionButton
        icon="refresh"
        variant="contained"
        loading={retry.isPending}
        disabledReason={denial('retrySiteBatch')}
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

/** `unchanged` is no success of the batch: the site was as it should be already. */
const tones: Record<SiteBatchLine['status'], Tone> = {
  pending: 'info',
  done: 'success',
  unchanged: 'neutral',
  failed: 'error',
  cancelled: 'warning',
};

const lines = listOf('listSiteBatchLines', siteBatchRoutes.listSiteBatchLines.query);

const useLineColumns = lines.columns(siteBatchText, (t, column, kind: SiteBatch['kind']) => [
  { id: 'line', header: t.line, width: 72, cell: (line) => line.position },
  {
    id: 'text',
    header: t.text,
    cell: (line) =>
      // A site that was to be removed leads nowhere.
      line.site_id === null || kind === 'remove' || kind === 'remove_forced' ? (
        line.text
      ) : (
        <TextLink target={to.siteDetail({ id: line.site_id })}>{line.text}</TextLink>
      ),
  },
  {
    id: 'state',
    whole: true,
    header: t.state,
    cell: (line) => (
      <StatusChip tone={tones[line.status]} label={t.states[line.status]} busy={line.status === 'pending'} />
    ),
  },
  column.text('reason', t.reason, { wraps: true }),
  {
    id: 'delivery',
    header: t.delivery,
    cell: (line) => (line.delivery ? <DeliveryChip delivery={line.delivery} /> : '–'),
  },
]);

/** What became of each line. It goes on being read after the batch, until the nodes of every site shown have answered. */
function BatchLines({ batch }: { batch: SiteBatch }) {
  const t = useText(siteBatchText);
  const list = lines.use({
    within: { id: batch.id },
    refetchInterval: (last) =>
      batch.status === 'running' || last?.list.some((line) => line.delivery?.status === 'pending')
        ? 1000
        : false,
  });
  return (
    <ListTable
      id="site-batch-lines"
      list={list}
      text={{ title: t.result, empty: t.noLines, emptyHint: t.noLinesHint }}
      icon="site"
      columns={useLineColumns(batch.kind)}
      filters={[selectFilter('status', t.filter, choices(siteBatchLineStatuses, t.states))]}
      rowName={(line) => line.text}
    />
  );
}
