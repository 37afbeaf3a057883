import { siteRefreshRoutes, siteRefreshTypes, type SiteRefresh } from '@breakwater/contract';
import { Suspense, useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { useDenial } from '../../frame/denial.ts';
import { choices, selectFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { Page } from '../../kit/page.tsx';
import { RefreshState } from './refresh-state.tsx';
import { siteRefreshText } from './site-refresh.text.ts';

const SiteRefreshForm = lazyOverlay(() =>
  import('./site-refresh-form.tsx').then((part) => part.SiteRefreshForm),
);
const PatternRefreshForm = lazyOverlay(() =>
  import('./pattern-refresh-form.tsx').then((part) => part.PatternRefreshForm),
);
const SiteRefreshDetail = lazyOverlay(() =>
  import('./site-refresh-detail.tsx').then((part) => part.SiteRefreshDetail),
);

const refreshes = listOf('listSiteRefreshes', siteRefreshRoutes.listSiteRefreshes.query);
export const { firstRead } = refreshes;

const useColumns = refreshes.columns(siteRefreshText, (t, column) => [
  {
    id: 'target',
    header: t.target,
    cell: ({ type, first }) => (type === 'clean_site' ? t.wholeSite : first),
  },
  column.count('count', t.count),
  { id: 'type', header: t.type, cell: ({ type }) => t.types[type] },
  { id: 'mode', header: t.mode, cell: ({ mode }) => t.modes[mode] },
  column.site(t.site),
  { id: 'state', header: t.state, cell: ({ delivery }) => <RefreshState delivery={delivery} />, whole: true },
  column.time('created_at', t.at, { relative: true }),
  column.owner(t.client),
  { id: 'created_by', header: t.by, cell: ({ created_by }) => created_by || t.platform },
]);

const pending = ({ delivery }: SiteRefresh) => delivery.status === 'pending';

/**
 * What was refreshed, and how many nodes have done it. Refreshing by a pattern is for operators: nodes look through all they store.
 */
export function SiteRefreshList() {
  const t = useText(siteRefreshText);
  const denial = useDenial();
  const [open, setOpen] = useState<SiteRefresh | 'new' | 'pattern' | null>(null);
  const list = refreshes.use({ refetchInterval: (last) => (last?.list.some(pending) ? 1000 : false) });
  const add = (
    <ActionButton
      icon="refresh"
      variant="contained"
      onClick={() => setOpen('new')}
      disabledReason={denial('createSiteRefresh')}
    >
      {t.add}
    </ActionButton>
  );
  const isOperator = useAccount().role === 'admin';
  const actions = isOperator ? (
    <>
      <ActionButton
        icon="search"
        variant="outlined"
        onClick={() => setOpen('pattern')}
        disabledReason={denial('createPatternRefresh')}
      >
        {t.pattern.add}
      </ActionButton>
      {add}
    </>
  ) : (
    add
  );
  const close = () => setOpen(null);
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={actions}>
      <ListTable
        id="site-refreshes"
        list={list}
        text={t}
        icon="renew"
        add={add}
        columns={useColumns()}
        filters={[selectFilter('type', t.type, choices(siteRefreshTypes, t.types))]}
        rowName={({ id }) => `#${id}`}
        rowActions={(refresh) => [{ label: t.details, icon: 'view', onClick: () => setOpen(refresh) }]}
      />
      {open && (
        <Suspense>
          {open === 'new' && <SiteRefreshForm onClose={close} />}
          {open === 'pattern' && <PatternRefreshForm onClose={close} />}
          {typeof open === 'object' && <SiteRefreshDetail refresh={open} onClose={close} />}
        </Suspense>
      )}
    </Page>
  );
}
