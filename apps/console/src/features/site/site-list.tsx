import {
  siteCertificateStatuses,
  siteFilters,
  siteSearch,
  siteStatuses,
  type Site,
} from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { useMemo, useState, type ReactNode } from 'react';
import { useAccount } from '../../api/account.ts';
import type { Arguments } from '../../api/client.ts';
import { useLineGroupOptions, useProductOptions, useTagOptions } from '../../api/options.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { useCounted } from '../../kit/counted.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { TagChip } from '../../kit/tag-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useSiteActions } from './site-actions.tsx';
import { SiteExport } from './site-export.tsx';
import { siteListText } from './site-list.text.ts';
import { useManySites } from './site-many.tsx';
import { DeliveryChip, SiteState } from './site-status.tsx';
import { siteText } from './site.text.ts';

const filterNames = Object.keys(siteFilters) as (keyof typeof siteFilters)[];

export const firstRead = firstPageOf('listSites', siteSearch);

export function SiteList() {
  const t = useText(siteText);
  const { role } = useAccount();
  const [search, setSearch] = useSearchState(siteSearch);
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
  const filter = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  const counted = useCounted(filter, sites);
  const total = sites.data?.total ?? 0;
  const many = useManySites({ filter: counted?.asked ?? filter, total: counted?.total ?? 0 }, sites.refetch);
  const add = (
    <LinkButton target={to.siteCreate()} icon="add" variant="contained">
      {t.add}
    </LinkButton>
  );
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={<ListActions query={{ ...filter, ...sortOf(search) }} empty={total === 0} add={add} />}
    >
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
        batchActions={many.batchActions}
        sort={sortOf(search)}
        onSort={setSearch}
      />
      {dialog}
      {many.dialog}
    </Page>
  );
}

type Search = Pick<Arguments<'exportSites'>['query'], 'sort_by' | 'sort_order'>;
const sortOf = ({ sort_by, sort_order }: Search): Search => ({ sort_by, sort_order });

interface ListActionsProps {
  query: Arguments<'exportSites'>['query'];
  empty: boolean;
  add: ReactNode;
}

function ListActions({ query, empty, add }: ListActionsProps) {
  const t = useText(siteListText);
  const [exporting, setExporting] = useState(false);
  return (
    <>
      <ActionButton
        icon="download"
        color="inherit"
        variant="outlined"
        onClick={() => setExporting(true)}
        disabledReason={empty ? t.nothing : undefined}
      >
        {t.export}
      </ActionButton>
      <LinkButton target={to.siteBatches()} icon="list-bullets" color="inherit" variant="outlined">
        {t.batch}
      </LinkButton>
      {add}
      {exporting && <SiteExport query={query} onClose={() => setExporting(false)} />}
    </>
  );
}

/** What a site is called: its first domain. */
export const siteName = ({ domains, id }: Pick<Site, 'domains' | 'id'>): string => domains[0] ?? `#${id}`;

function useSiteFilters(admin: boolean): FilterField[] {
  const t = useText(siteText);
  const listText = useText(siteListText);
  const tags = useTagOptions();
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
    {
      name: 'certificate_status',
      label: listText.certificate,
      kind: 'select',
      options: siteCertificateStatuses.map((value) => ({ value, label: listText.certificates[value] })),
    },
    {
      name: 'certificate_expires_soon',
      label: listText.endsSoonAsked,
      kind: 'select',
      options: (['yes', 'no'] as const).map((value) => ({ value, label: listText[value] })),
    },
    { name: 'tags_id', label: listText.tags, kind: 'select', options: tags },
    { name: 'site_id', label: 'ID', kind: 'number' },
    { name: 'cname', label: 'CNAME', kind: 'text' },
    ...(admin ? forAdmins : []),
  ];
}

const certificateTones: Record<Site['certificate_status'], Tone> = {
  not_enabled: 'neutral',
  enabled: 'success',
  expired: 'error',
};

function useSiteColumns(admin: boolean): Column<Site>[] {
  const t = useText(siteText);
  const listText = useText(siteListText);
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
        sort: 'domain_name',
        cell: (site) => (
          <Box sx={{ minWidth: 0 }}>
            <TextLink target={to.siteDetail({ id: site.id })}>{siteName(site)}</TextLink>
            {site.domains.length > 1 && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }} title={site.domains.join('\n')}>
                {t.moreDomains(site.domains.length)}
              </Typography>
            )}
            {site.tags.length > 0 && (
              <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap', mt: 0.5 }}>
                {site.tags.map((tag) => (
                  <TagChip key={tag.id} label={tag.name} color={tag.color} />
                ))}
              </Stack>
            )}
          </Box>
        ),
      },
      { id: 'status', header: t.status, sort: 'status', cell: (site) => <SiteState site={site} /> },
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
      {
        id: 'certificate',
        header: listText.certificate,
        hidden: true,
        cell: ({ certificate_status: status, certificate_expires_soon: soon }) =>
          soon ? (
            <StatusChip tone="warning" label={listText.endsSoon} />
          ) : (
            <StatusChip tone={certificateTones[status]} label={listText.certificates[status]} />
          ),
      },
      { id: 'id', header: 'ID', hidden: true, sort: 'id', cell: (site) => site.id },
      {
        id: 'updated',
        header: t.updated,
        sort: 'updated_at',
        cell: (site) => <Time at={site.updated_at} relative />,
      },
      { id: 'created', header: t.created, hidden: true, cell: (site) => <Time at={site.created_at} /> },
    ];
  }, [admin, listText, t]);
}
