import { siteBatchKinds, siteBatchRoutes, type SiteBatch } from '@breakwater/contract';
import { choices, selectFilter } from '../../../frame/filters.ts';
import { listOf } from '../../../frame/list.ts';
import { ListTable } from '../../../frame/list-table.tsx';
import { useText } from '../../../i18n/text.ts';
import { to } from '../../../kit/links.ts';
import { Page } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { UrlTabs } from '../../../kit/url-tabs.tsx';
import { SiteBatchCreate } from './create.tsx';
import { SiteDrafts } from './drafts.tsx';
import { SiteBatchSection } from './section.tsx';
import { BatchState, useBatchName } from './state.tsx';
import { siteBatchText } from './batch.text.ts';
import { siteText } from '../site.text.ts';

const batches = listOf('listSiteBatches', siteBatchRoutes.listSiteBatches.query);
export const { firstRead } = batches;

const useColumns = batches.columns(siteBatchText, (t, column) => [
  { id: 'kind', header: t.kind, cell: (batch) => <BatchName batch={batch} /> },
  { id: 'progress', header: t.state, cell: (batch) => <BatchState batch={batch} /> },
  {
    id: 'result',
    header: t.result,
    cell: (batch) => t.counts(batch.done, batch.failed, batch.unchanged, batch.cancelled),
  },
  { id: 'author_name', header: t.author, cell: ({ author_name }) => author_name || t.platform },
  column.time('created_at', t.started),
]);

/**
 * Many sites at once: adding them from lines, importing them from another system, changing a section of them, and the batches so far.
 */
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
  const isRunning = (batch: SiteBatch) => batch.status === 'running';
  return (
    <ListTable
      id="site-batches"
      list={batches.use({ refetchInterval: (last) => (last?.list.some(isRunning) ? 1000 : 10_000) })}
      text={{ ...t, title: t.tabs.list }}
      icon="batch"
      columns={useColumns()}
      filters={[selectFilter('kind', t.kind, choices(siteBatchKinds, t.kinds))]}
      rowName={(batch) => t.detailTitle(batch.id)}
    />
  );
}

function BatchName({ batch }: { batch: SiteBatch }) {
  const nameOf = useBatchName();
  return <TextLink target={to.siteBatchDetail({ id: batch.id })}>{nameOf(batch)}</TextLink>;
}
