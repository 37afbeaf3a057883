import { siteBatchKinds, siteBatchRoutes, type SiteBatch } from '@breakwater/contract';
import { useMemo } from 'react';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { UrlTabs } from '../../kit/url-tabs.tsx';
import { SiteBatchCreate } from './site-batch-create.tsx';
import { SiteDrafts } from './site-drafts.tsx';
import { SiteBatchSection } from './site-batch-section.tsx';
import { BatchState, useBatchName } from './site-batch-state.tsx';
import { siteBatchText } from './site-batch.text.ts';
import { siteText } from './site.text.ts';

export const firstRead = firstPageOf('listSiteBatches', siteBatchRoutes.listSiteBatches.query);

/** Many sites at once: to add, to change, and what was done so far. */
export function SiteBatchList() {
  const t = useText(siteBatchText);
  return (
    <Page title={t.title} subtitle={t.subtitle} back={{ target: to.sites(), label: useText(siteText).title }}>
      <UrlTabs
        label={t.title}
        tabs={[
          { id: 'create', label: t.tabs.create, content: () => <SiteBatchCreate /> },
          { id: 'import', label: t.tabs.import, content: () => <SiteDrafts /> },
          { id: 'section', label: t.tabs.section, content: () => <SiteBatchSection /> },
          { id: 'list', label: t.tabs.list, content: () => <PastBatches /> },
        ]}
      />
    </Page>
  );
}

function PastBatches() {
  const t = useText(siteBatchText);
  const nameOf = useBatchName();
  const [search, setSearch] = useSearchState(siteBatchRoutes.listSiteBatches.query);
  const batches = useApi(
    'listSiteBatches',
    { query: search },
    {
      keepPrevious: true,
      refetchInterval: (last) => (last?.list.some((batch) => batch.status === 'running') ? 1000 : 10_000),
    },
  );
  const columns = useMemo<Column<SiteBatch>[]>(
    () => [
      {
        id: 'kind',
        header: t.kind,
        cell: (batch) => <TextLink target={to.siteBatchDetail({ id: batch.id })}>{nameOf(batch)}</TextLink>,
      },
      { id: 'progress', header: t.progress, cell: (batch) => <BatchState batch={batch} /> },
      {
        id: 'result',
        header: t.result,
        cell: (batch) => t.counts(batch.done, batch.failed, batch.unchanged, batch.cancelled),
      },
      { id: 'author', header: t.author, cell: (batch) => batch.author_name },
      { id: 'started', header: t.started, cell: (batch) => <Time at={batch.created_at} /> },
    ],
    [nameOf, t],
  );
  return (
    <DataTable
      label={t.tabs.list}
      id="site-batches"
      columns={columns}
      read={batches}
      rowKey={(batch) => batch.id}
      rowName={(batch) => t.detailTitle(batch.id)}
      onPage={setSearch}
      filtered={search.kind !== undefined}
      filters={
        <FilterBar
          fields={[
            {
              name: 'kind',
              label: t.kind,
              kind: 'select',
              inBar: true,
              options: siteBatchKinds.map((value) => ({ value, label: t.kinds[value] })),
            },
          ]}
          values={search}
          onChange={setSearch}
        />
      }
      empty={<EmptyState icon="task" title={t.empty} hint={t.emptyHint} />}
    />
  );
}
