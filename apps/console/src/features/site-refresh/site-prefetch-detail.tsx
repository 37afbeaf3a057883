import { prefetchOutcomes, sitePrefetchRoutes, type PrefetchResult } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useReadAtEnd } from '../../api/read-at-end.ts';
import { useDenial } from '../../frame/denial.ts';
import { choices, selectFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { useIdParam } from '../../kit/id-param.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { isUnderWay, PrefetchState } from './prefetch-state.tsx';
import { sitePrefetchText } from './site-prefetch.text.ts';

type Prefetch = NonNullable<ReturnType<typeof useRead>['data']>;

const useRead = (id: number) =>
  useApi(
    'getSitePrefetch',
    { params: { id } },
    { refetchInterval: (last) => (last && !isUnderWay(last) ? false : 1000) },
  );

/** One prefetch: how far it is, and what each node was answered. */
export function SitePrefetchDetail() {
  const t = useText(sitePrefetchText);
  const id = useIdParam();
  const read = useRead(id);
  return (
    <DetailPage
      read={read}
      label={t.detailTitle(id)}
      title={() => t.detailTitle(id)}
      subtitle={({ first }) => first}
      back={{ target: to.sitePrefetches(), label: t.title }}
      actions={(prefetch) => <Actions prefetch={prefetch} />}
    >
      {(prefetch) => (
        <>
          <Section>
            <PrefetchFacts prefetch={prefetch} />
          </Section>
          <Results prefetch={prefetch} />
        </>
      )}
    </DetailPage>
  );
}

function PrefetchFacts({ prefetch }: { prefetch: Prefetch }) {
  const t = useText(sitePrefetchText);
  const { site_id: id, site_name: name, encodings, languages } = prefetch;
  return (
    <Facts
      columns={4}
      facts={[
        { label: t.state, value: <PrefetchState prefetch={prefetch} /> },
        { label: t.failed, value: formatCount(prefetch.failed) },
        { label: t.bytes, value: formatBytes(prefetch.bytes) },
        { label: t.site, value: <TextLink target={to.siteDetail({ id })}>{name || `#${id}`}</TextLink> },
        { label: t.urls, value: formatCount(prefetch.urls) },
        { label: t.nodeCount, value: formatCount(prefetch.nodes) },
        {
          label: t.limits,
          value: t.limitsOf(formatCount(prefetch.rate), formatCount(prefetch.concurrency)),
        },
        {
          label: t.variant,
          value: [...encodings.map((each) => t.encodingNames[each]), ...languages].join(' · '),
        },
        { label: t.by, value: prefetch.created_by || t.platform },
        { label: t.at, value: <Time at={prefetch.created_at} /> },
        ...(prefetch.sitemap === '' ? [] : [{ label: t.sitemap, value: prefetch.sitemap }]),
        ...(prefetch.truncated
          ? [{ label: t.content, value: <StatusChip tone="warning" label={t.truncated} />, wide: true }]
          : []),
      ]}
    />
  );
}

function Actions({ prefetch }: { prefetch: Prefetch }) {
  const t = useText(sitePrefetchText);
  const denial = useDenial();
  const stop = useChange('stopSitePrefetch');
  const retry = useChange('retrySitePrefetch');
  const params = { id: prefetch.id };
  const onError = (error: Error) => notify.refused(error.message);
  if (isUnderWay(prefetch))
    return (
      <ActionButton
        icon="close"
        variant="outlined"
        color="inherit"
        loading={stop.isPending}
        disabledReason={denial('stopSitePrefetch')}
        onClick={() => stop.mutate({ params }, { onSuccess: () => notify.success(t.stopped), onError })}
      >
        {t.stop}
      </ActionButton>
    );
  // One that was stopped has requests left, without any that failed.
  if (prefetch.failed === 0 && prefetch.done >= prefetch.total) return null;
  return (
    <ActionButton
      icon="refresh"
      variant="contained"
      loading={retry.isPending}
      disabledReason={denial('retrySitePrefetch')}
      onClick={() =>
        retry.mutate(
          { params },
          {
            onSuccess: ({ requests }) =>
              notify.success(requests > 0 ? t.retried(formatCount(requests)) : t.nothingToRetry),
            onError,
          },
        )
      }
    >
      {prefetch.failed > 0 ? t.retry : t.resume}
    </ActionButton>
  );
}

const results = listOf('listPrefetchResults', sitePrefetchRoutes.listPrefetchResults.query);

/** Anything below 400 is an answer that visitors get as well, redirects included. */
const isGood = ({ status }: PrefetchResult): boolean => status !== null && status < 400;

const useColumns = results.columns(sitePrefetchText, (t, column) => [
  column.text('url', t.url, { wraps: true }),
  column.text('node_name', t.node),
  {
    id: 'status',
    whole: true,
    header: t.status,
    cell: (result) => (
      <StatusChip
        tone={isGood(result) ? 'success' : 'error'}
        label={result.error === null ? String(result.status ?? '–') : t.errors[result.error]}
      />
    ),
  },
  { id: 'cache', header: t.cache, cell: ({ cache }) => cache || '–' },
  { id: 'size', header: t.size, align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: 'milliseconds',
    header: t.milliseconds,
    align: 'right',
    cell: ({ milliseconds }) => t.ms(formatCount(milliseconds)),
  },
  {
    id: 'variant',
    header: t.variant,
    cell: ({ encoding, language }) =>
      [t.encodingNames[encoding], language].filter((text) => text !== '').join(' · '),
  },
  column.time('at', t.fetched, { relative: true, hidden: true }),
]);

function Results({ prefetch }: { prefetch: Prefetch }) {
  const t = useText(sitePrefetchText);
  const list = results.use({
    within: { id: prefetch.id },
    refetchInterval: () => (isUnderWay(prefetch) ? 1000 : false),
  });
  // The last results may come after the list was read for the last time.
  useReadAtEnd(isUnderWay(prefetch), list.read);
  return (
    <ListTable
      id="prefetch-results"
      list={list}
      text={{ title: t.results, empty: t.noResults, emptyHint: t.noResultsHint }}
      icon="prefetch"
      columns={useColumns()}
      filters={[selectFilter('outcome', t.outcome, choices(prefetchOutcomes, t.outcomes))]}
      rowName={({ url }) => url}
    />
  );
}
