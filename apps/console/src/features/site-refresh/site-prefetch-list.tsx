import { sitePrefetchRoutes, type SitePrefetch } from '@breakwater/contract';
import { Suspense, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useDenial } from '../../frame/denial.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { formatBytes } from '../../kit/format.ts';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { isUnderWay, PrefetchState } from './prefetch-state.tsx';
import { sitePrefetchText } from './site-prefetch.text.ts';

const SitePrefetchForm = lazyOverlay(() =>
  import('./site-prefetch-form.tsx').then((part) => part.SitePrefetchForm),
);

const prefetches = listOf('listSitePrefetches', sitePrefetchRoutes.listSitePrefetches.query);
export const { firstRead } = prefetches;

const useColumns = prefetches.columns(sitePrefetchText, (t, column) => [
  {
    id: 'content',
    header: t.content,
    cell: ({ id, first }) => <TextLink target={to.sitePrefetchDetail({ id })}>{first}</TextLink>,
  },
  column.count('urls', t.urls),
  column.count('nodes', t.nodeCount),
  column.site(t.site),
  { id: 'state', header: t.state, cell: (prefetch) => <PrefetchState prefetch={prefetch} />, whole: true },
  column.count('failed', t.failed),
  { id: 'bytes', header: t.bytes, align: 'right', hidden: true, cell: ({ bytes }) => formatBytes(bytes) },
  column.time('created_at', t.at, { relative: true }),
  column.owner(t.client),
  {
    id: 'created_by',
    header: t.by,
    cell: ({ created_by }) => created_by || t.platform,
    hidden: true,
  },
]);

/** Prefetches with how far each is. */
export function SitePrefetchList() {
  const t = useText(sitePrefetchText);
  const denial = useDenial();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const list = prefetches.use({ refetchInterval: (last) => (last?.list.some(isUnderWay) ? 1000 : false) });
  const add = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={() => setOpen(true)}
      disabledReason={denial('createSitePrefetch')}
    >
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <ListTable
        id="site-prefetches"
        list={list}
        text={t}
        icon="prefetch"
        add={add}
        columns={useColumns()}
        rowName={({ id }) => `#${id}`}
        rowActions={({ id }: SitePrefetch) => [
          { label: t.details, icon: 'view', onClick: () => void navigate(to.sitePrefetchDetail({ id })) },
        ]}
      />
      {open && (
        <Suspense>
          <SitePrefetchForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Page>
  );
}
