import { siteViolationRoutes, violationActions, type SiteViolation } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo } from 'react';
import { firstPageOf } from '../../api/first-read.ts';
import { findSites, useSiteChoice } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { siteViolationText } from './site-violation.text.ts';

const query = siteViolationRoutes.listSiteViolations.query;
const filterNames = ['site_id', 'host', 'word', 'action', 'start_time', 'end_time'] as const;

export const firstRead = firstPageOf('listSiteViolations', query);

export function SiteViolationList() {
  const t = useText(siteViolationText);
  const [search, setSearch] = useSearchState(query);
  const violations = useApi('listSiteViolations', { query: search }, { keepPrevious: true });
  const site = useSiteChoice(search.site_id);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.violationStats()} icon="chart" variant="outlined" color="inherit">
          {t.stats}
        </LinkButton>
      }
    >
      <DataTable
        label={t.title}
        id="site-violations"
        columns={useViolationColumns()}
        read={violations}
        rowKey={(violation) => violation.id}
        rowName={(violation) => violation.word}
        onPage={setSearch}
        filtered={filterNames.some((name) => search[name] !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            problemOf={useFilterProblems(query)}
            fields={[
              { name: { start: 'start_time', end: 'end_time' }, label: t.time, kind: 'range', inBar: true },
              { name: 'word', label: t.word, kind: 'text', inBar: true },
              { name: 'site_id', label: t.site, kind: 'remote', load: findSites, chosen: site, inBar: true },
              { name: 'host', label: t.host, kind: 'text' },
              {
                name: 'action',
                label: t.action,
                kind: 'select',
                options: violationActions.map((value) => ({ value, label: t.actions[value] })),
              },
            ]}
          />
        }
        empty={<EmptyState icon="log" title={t.empty} hint={t.emptyHint} />}
      />
    </Page>
  );
}

function useViolationColumns(): Column<SiteViolation>[] {
  const t = useText(siteViolationText);
  return useMemo(
    () => [
      { id: 'time', header: t.time, cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: 'site',
        header: t.site,
        cell: ({ site_id, site_name }) => (
          <TextLink target={to.siteDetail({ id: site_id })}>{site_name || `#${site_id}`}</TextLink>
        ),
      },
      {
        id: 'page',
        header: t.page,
        cell: ({ host, request_uri }) => (
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {host}
            {request_uri}
          </Typography>
        ),
      },
      { id: 'word', header: t.word, cell: ({ word }) => word },
      { id: 'excerpt', header: t.excerpt, cell: ({ excerpt }) => excerpt },
      {
        id: 'action',
        header: t.action,
        cell: ({ action }) => (
          <StatusChip tone={action === 'blocked' ? 'error' : 'neutral'} label={t.actions[action]} />
        ),
      },
    ],
    [t],
  );
}
