import {
  siteCertificateStatuses,
  siteFilters,
  siteSearch,
  siteStatuses,
  type Site,
} from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { Suspense, useState, type ReactNode } from 'react';
import type { Arguments } from '../../../api/client.ts';
import {
  clientChoices,
  lineGroupChoices,
  orderChoices,
  productChoices,
  tagChoices,
} from '../../../api/options.ts';
import { choices, numberFilter, remoteFilter, selectFilter, textFilter } from '../../../frame/filters.ts';
import { listOf } from '../../../frame/list.ts';
import { ListTable } from '../../../frame/list-table.tsx';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { useCounted } from '../../../kit/table/counted.ts';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { to } from '../../../kit/links.ts';
import { Page } from '../../../kit/page.tsx';
import { LinkButton, TextLink } from '../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { TagChip } from '../../../kit/tag-chip.tsx';
import { useSiteActions } from './actions.tsx';
import { siteListText } from './list.text.ts';
import { useManySites } from './many.tsx';
import { DeliveryChip, SiteState } from '../status.tsx';
import { siteName } from '../name.ts';
import { siteText } from '../site.text.ts';
import { readableDomains } from '../../../kit/domain-name.ts';

const SiteExport = lazyOverlay(() => import('./export.tsx').then((part) => part.SiteExport));

/** What narrows the list, without order and page: a batch and an export are told these alone. */
const filterNames = Object.keys(siteFilters) as (keyof typeof siteFilters)[];
const sites = listOf('listSites', siteSearch);
export const { firstRead } = sites;

const cnameOf = ({ cname }: Site) => cname ?? '';

/**
 * The first columns tell customers what they come for; the hidden ones can be shown by each reader. `listText` is a
 * second file of texts, of this list alone.
 */
const useSiteColumns = sites.columns(siteText, (t, column, listText: typeof siteListText.zh) => [
  { id: 'domains', header: t.domains, sort: 'domain_name', cell: (site) => <Domains site={site} /> },
  { id: 'status', header: t.status, sort: 'status', cell: (site) => <SiteState site={site} />, whole: true },
  // Customers come for it, to enter it at their DNS host; operators have it at hand among the hidden ones.
  column.text('cname', 'CNAME', { role: 'user', copy: cnameOf }),
  column.text('cname', 'CNAME', { role: 'admin', hidden: true, copy: cnameOf }),
  { id: 'delivery', header: t.delivery, cell: (site) => <DeliveryChip delivery={site.delivery} /> },
  {
    id: 'origin',
    header: t.origin,
    cell: (site) => site.origins.slice(0, 2).join(', ') + (site.origins.length > 2 ? ' …' : ''),
  },
  column.owner(t.client),
  column.text('product_name', t.product, { hidden: true }),
  column.text('line_group_name', t.lineGroup, { hidden: true }),
  {
    id: 'certificate',
    header: listText.certificate,
    hidden: true,
    cell: (site) => <CertificateChip site={site} />,
  },
  { id: 'id', header: 'ID', hidden: true, sort: 'id', cell: (site) => site.id },
  column.time('updated_at', t.updated, { role: 'admin', sort: 'updated_at', relative: true }),
  column.time('updated_at', t.updated, { role: 'user', hidden: true, sort: 'updated_at', relative: true }),
  column.time('created_at', t.created, { hidden: true }),
]);

/**
 * The first domain leads to the site; how many more it has, and its tags, stand beside it. The titles name all of
 * them, where there is no room.
 */
function Domains({ site }: { site: Site }) {
  const t = useText(siteText);
  const link = <TextLink target={to.siteDetail({ id: site.id })}>{siteName(site)}</TextLink>;
  if (site.domains.length === 1 && site.tags.length === 0) return link;
  return (
    <Stack
      direction="row"
      sx={{ alignItems: 'center', gap: 0.75, minWidth: 0, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}
    >
      <Box component="span" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {link}
      </Box>
      {site.domains.length > 1 && (
        <Typography
          component="span"
          variant="body2"
          sx={{ color: 'text.secondary', flexShrink: 0 }}
          title={site.domains.map(readableDomains).join('\n')}
        >
          {t.moreDomains(site.domains.length)}
        </Typography>
      )}
      {site.tags.length > 0 && (
        // Where there is no room for all, tags give way to the domain, by less than a pixel of which it would lose its end.
        <Stack
          direction="row"
          title={site.tags.map(({ name }) => name).join('\n')}
          sx={{
            gap: 0.5,
            minWidth: 0,
            flexShrink: 1e6,
            flexWrap: 'wrap',
            // Those that would be cut are in the next line, which a table does not show.
            maxHeight: { sm: 24 },
            overflow: 'hidden',
            // The first is always there: it ends in dots where it has no room.
            '& > *': { maxWidth: 'min(160px, 100%)' },
          }}
        >
          {site.tags.map((tag) => (
            <TagChip key={tag.id} label={tag.name} color={tag.color} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

const certificateTones: Record<Site['certificate_status'], Tone> = {
  not_enabled: 'neutral',
  enabled: 'success',
  expired: 'error',
};

function CertificateChip({ site }: { site: Site }) {
  const t = useText(siteListText);
  const { certificate_status: status, certificate_expires_soon: soon } = site;
  // Such a site's certificate is `enabled` still: what is to be done about it comes before that.
  if (soon) return <StatusChip tone="warning" label={t.endsSoon} />;
  return <StatusChip tone={certificateTones[status]} label={t.certificates[status]} />;
}

/** The list of sites, of operators and of customers; who sees which columns, filters and actions stands beside each. */
export function SiteList() {
  const t = useText(siteText);
  const list = sites.use({
    // Deliveries take seconds; nothing else here changes by itself as fast.
    refetchInterval: (last) =>
      last?.list.some((site) => site.delivery.status === 'pending') ? 1000 : 10_000,
  });
  const { search, read } = list;
  const { actionsFor, dialog } = useSiteActions();
  const columns = useSiteColumns(useText(siteListText));
  const filter = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  // While another search is on its way, what is shown and its total are of the one before: a batch must not be told the new filter
  // with the old total.
  const counted = useCounted(filter, read);
  const total = read.data?.total ?? 0;
  const many = useManySites({ filter: counted?.asked ?? filter, total: counted?.total ?? 0 }, read.refetch);
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
      <ListTable
        id="sites"
        list={list}
        text={t}
        icon="site"
        add={add}
        columns={columns}
        filters={useSiteFilters()}
        sorted
        rowName={siteName}
        rowActions={actionsFor}
        batchActions={many.batchActions}
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

/**
 * Export, batches and a new site. `query` is what the list shows by now: the export has the same rows in the same order.
 */
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
      {exporting && (
        <Suspense>
          <SiteExport query={query} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Behind the button for more filters, until one is set. */
const folded = { folded: true } as const;
const forAdmins = { ...folded, role: 'admin' } as const;

/**
 * By the names of `siteFilters` in the contract. Customers are not offered what tells of other customers or of the platform.
 */
function useSiteFilters() {
  const t = useText(siteText);
  const listText = useText(siteListText);
  return [
    textFilter('domain_name', t.domainSearch),
    textFilter('source_content', t.origin),
    selectFilter('status', t.status, choices(siteStatuses, t.statuses)),
    selectFilter(
      'certificate_status',
      listText.certificate,
      choices(siteCertificateStatuses, listText.certificates),
      folded,
    ),
    selectFilter(
      'certificate_expires_soon',
      listText.endsSoonAsked,
      choices(['yes', 'no'], listText),
      folded,
    ),
    remoteFilter('tags_id', listText.tags, tagChoices, { ...folded, needs: 'listTags' }),
    remoteFilter('order_id', t.order, orderChoices, { ...folded, needs: 'listOrders' }),
    numberFilter('site_id', 'ID'),
    textFilter('cname', 'CNAME', folded),
    textFilter('username', t.username, forAdmins),
    remoteFilter('client_id', t.client, clientChoices, { ...forAdmins, needs: 'listClients' }),
    remoteFilter('line_group_id', t.lineGroup, lineGroupChoices, { ...forAdmins, needs: 'listLineGroups' }),
    remoteFilter('product_id', t.product, productChoices, { ...forAdmins, needs: 'listProducts' }),
  ];
}
