import { dnsVerdicts, domainProofs, routes, type DomainRow } from '@breakwater/contract';
import { useMemo } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { DomainSeen, ProofChip, VerdictChip } from './domain-verdict.tsx';
import { siteDomainText } from './site-domain.text.ts';
import { SiteStatusChip } from './site-status.tsx';

/** The domains of all sites. */
export const firstRead = firstPageOf('listSiteDomains', routes.listSiteDomains.query);

export function SiteDomains() {
  const t = useText(siteDomainText);
  const [search, setSearch] = useSearchState(routes.listSiteDomains.query);
  const domains = useApi(
    'listSiteDomains',
    { query: search },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  const actionsFor = useDomainActions();
  const filters = useDomainFilters();
  const columns = useDomainColumns();
  return (
    <Page title={t.listTitle} subtitle={t.listSubtitle}>
      <DataTable
        label={t.listTitle}
        id="site-domains"
        columns={columns}
        read={domains}
        // Two customers may wait for one name.
        rowKey={(row) => `${row.domain} ${row.site_id}`}
        rowName={(row) => row.domain}
        onPage={setSearch}
        filtered={(['domain', 'site_id', 'client_id', 'username', 'verdict', 'proof'] as const).some(
          (name) => search[name] !== undefined,
        )}
        filters={<FilterBar values={search} onChange={setSearch} fields={filters} />}
        empty={<EmptyState icon="site" title={t.listEmpty} hint={t.listEmptyHint} />}
        expand={(row) => <DomainSeen check={row} cname={row.cname} />}
        rowActions={(row) => actionsFor([row])}
        batchActions={actionsFor}
      />
    </Page>
  );
}

function useDomainActions(): (rows: readonly DomainRow[]) => RowAction[] {
  const t = useText(siteDomainText);
  const kit = useText(kitText);
  const may = useMay();
  const check = useChange('checkDomains');
  return (rows) => [
    {
      label: t.check,
      icon: 'refresh',
      disabledReason: may('checkDomains') ? undefined : kit.noPermission,
      onClick: () =>
        check.mutate(
          { body: { domains: rows.map((row) => row.domain) } },
          {
            onSuccess: ({ checked, left }) =>
              notify.success([t.checked(checked), ...(left > 0 ? [t.left(left)] : [])].join(' · ')),
            onError: (error) => notify.error(error.message),
          },
        ),
    },
  ];
}

function useDomainFilters(): FilterField[] {
  const t = useText(siteDomainText);
  return [
    { name: 'domain', label: t.domain, kind: 'text', inBar: true },
    {
      name: 'verdict',
      label: t.verdict,
      kind: 'select',
      inBar: true,
      options: [
        ...dnsVerdicts.map((value) => ({ value, label: t.verdicts[value] })),
        { value: 'unchecked', label: t.unchecked },
      ],
    },
    {
      name: 'proof',
      label: t.proof,
      kind: 'select',
      options: domainProofs.map((value) => ({ value, label: t.proofs[value] })),
    },
    { name: 'site_id', label: `${t.site} ID`, kind: 'number' },
    { name: 'username', label: t.username, kind: 'text' },
    { name: 'client_id', label: `${t.client} ID`, kind: 'number' },
  ];
}

function useDomainColumns(): Column<DomainRow>[] {
  const t = useText(siteDomainText);
  return useMemo(
    () => [
      {
        id: 'domain',
        header: t.domain,
        cell: (row) => <TextLink target={to.siteDetail({ id: row.site_id })}>{row.domain}</TextLink>,
        copy: (row) => row.domain,
      },
      { id: 'verdict', header: t.verdict, cell: (row) => <VerdictChip check={row} /> },
      { id: 'checked', header: t.checkedAt, cell: (row) => <Time at={row.checked_at} relative /> },
      { id: 'proof', header: t.proof, cell: (row) => <ProofChip check={row} /> },
      {
        id: 'cname',
        header: 'CNAME',
        cell: (row) => row.cname ?? '–',
        copy: (row) => row.cname ?? '',
      },
      {
        id: 'status',
        header: t.siteStatus,
        hidden: true,
        cell: (row) => <SiteStatusChip status={row.site_status} />,
      },
      {
        id: 'client',
        header: t.client,
        cell: (row) => <TextLink target={to.clientDetail({ id: row.client_id })}>{row.client_name}</TextLink>,
      },
      { id: 'site', header: `${t.site} ID`, hidden: true, cell: (row) => row.site_id },
    ],
    [t],
  );
}
