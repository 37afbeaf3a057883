import { siteListRoutes, siteStatuses, type Site } from '@breakwater/contract';
import { Box, Typography } from '@mui/material';
import { useMemo } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useLineGroupOptions, useProductOptions } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { useSiteActions } from './site-actions.tsx';
import { DeliveryChip, SiteState } from './site-status.tsx';
import { siteText } from './site.text.ts';

const filterNames = [
  'domain_name',
  'cname',
  'client_id',
  'username',
  'site_id',
  'status',
  'line_group_id',
  'product_id',
  'source_content',
] as const;

export function SiteList() {
  const t = useText(siteText);
  const may = useMay();
  const { role } = useAccount();
  const [search, setSearch] = useSearchState(siteListRoutes.listSites.query);
  const sites = useApi(
    'listSites',
    { query: search },
    {
      keepPrevious: true,
      refetchInterval: (last) =>
        last?.list.some((site) => site.delivery.status === 'pending') ? 1000 : 10_000,
    },
  );
  const { actionsFor, dialog } = useSiteActions();
  const columns = useSiteColumns(role === 'admin');
  const add = (
    <LinkButton target={to.siteCreate()} icon="add" variant="contained" disabled={!may('createSite')}>
      {t.add}
    </LinkButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="sites"
        columns={columns}
        read={sites}
        rowKey={(site) => site.id}
        rowName={siteName}
        onPage={setSearch}
        filtered={filterNames.some((name) => search[name] !== undefined)}
        filters={<FilterBar values={search} onChange={setSearch} fields={useSiteFilters(role === 'admin')} />}
        empty={<EmptyState icon="site" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={actionsFor}
      />
      {dialog}
    </Page>
  );
}

/** What a site is called: its first domain. */
export const siteName = ({ domains, id }: Pick<Site, 'domains' | 'id'>): string => domains[0] ?? `#${id}`;

function useSiteFilters(admin: boolean): FilterField[] {
  const t = useText(siteText);
  const lineGroups = useLineGroupOptions({ enabled: admin });
  const products = useProductOptions({ enabled: admin });
  const forAdmins: FilterField[] = [
    { name: 'username', label: t.username, kind: 'text' },
    { name: 'client_id', label: `${t.client} ID`, kind: 'number' },
    { name: 'line_group_id', label: t.lineGroup, kind: 'select', options: lineGroups },
    { name: 'product_id', label: t.product, kind: 'select', options: products },
  ];
  return [
    { name: 'domain_name', label: t.domainSearch, kind: 'text', inBar: true },
    { name: 'source_content', label: t.origin, kind: 'text', inBar: true },
    {
      name: 'status',
      label: t.status,
      kind: 'select',
      inBar: true,
      options: siteStatuses.map((value) => ({ value, label: t.statuses[value] })),
    },
    { name: 'site_id', label: 'ID', kind: 'number' },
    { name: 'cname', label: 'CNAME', kind: 'text' },
    ...(admin ? forAdmins : []),
  ];
}

function useSiteColumns(admin: boolean): Column<Site>[] {
  const t = useText(siteText);
  return useMemo(() => {
    const client: Column<Site> = {
      id: 'client',
      header: t.client,
      cell: (site) => (
        <TextLink target={to.clientDetail({ id: site.client_id })}>{site.client_name}</TextLink>
      ),
    };
    return [
      {
        id: 'domains',
        header: t.domains,
        cell: (site) => (
          <Box sx={{ minWidth: 0 }}>
            <TextLink target={to.siteDetail({ id: site.id })}>{siteName(site)}</TextLink>
            {site.domains.length > 1 && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }} title={site.domains.join('\n')}>
                {t.moreDomains(site.domains.length)}
              </Typography>
            )}
          </Box>
        ),
      },
      { id: 'status', header: t.status, cell: (site) => <SiteState site={site} /> },
      {
        id: 'cname',
        header: 'CNAME',
        hidden: admin,
        cell: (site) => site.cname ?? '–',
        copy: (site) => site.cname ?? '',
      },
      { id: 'delivery', header: t.delivery, cell: (site) => <DeliveryChip delivery={site.delivery} /> },
      {
        id: 'origin',
        header: t.origin,
        cell: (site) => site.origins.slice(0, 2).join(', ') + (site.origins.length > 2 ? ' …' : ''),
      },
      ...(admin ? [client] : []),
      { id: 'product', header: t.product, cell: (site) => site.product_name },
      { id: 'lineGroup', header: t.lineGroup, hidden: true, cell: (site) => site.line_group_name },
      { id: 'id', header: 'ID', hidden: true, cell: (site) => site.id },
      { id: 'updated', header: t.updated, cell: (site) => <Time at={site.updated_at} relative /> },
      { id: 'created', header: t.created, hidden: true, cell: (site) => <Time at={site.created_at} /> },
    ];
  }, [admin, t]);
}
