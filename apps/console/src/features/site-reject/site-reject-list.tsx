import {
  siteRejectRoutes,
  siteRejectStates,
  type SiteReject,
  type SiteRejectState,
} from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { findSites, useSiteChoice } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { useDecisionName, useRefusingSections } from '../../kit/decision.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { siteRejectText } from './site-reject.text.ts';

const query = siteRejectRoutes.listSiteRejects.query;
const filterNames = ['site_id', 'remote_addr', 'decision', 'state'] as const;

export const firstRead = firstPageOf('listSiteRejects', query);

export function SiteRejectList() {
  const t = useText(siteRejectText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(query);
  const rejects = useApi(
    'listSiteRejects',
    { query: search },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  const release = useChange('releaseSiteRejects');
  const releaseAll = useChange('releaseAllSiteRejects');
  const [asking, setAsking] = useState<SiteReject | 'all' | null>(null);
  const site = useSiteChoice(search.site_id);
  const sections = useRefusingSections();
  const denied = may('releaseSiteRejects') ? undefined : kit.noPermission;
  const letIn = async () => {
    const { released } =
      asking === 'all'
        ? await releaseAll.mutateAsync({ body: search.site_id ? { site_id: search.site_id } : {} })
        : await release.mutateAsync({ body: { ids: [asking!.id] } });
    notify.success(t.released(released));
  };
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <ActionButton
          icon="sign-out"
          variant="outlined"
          color="inherit"
          onClick={() => setAsking('all')}
          disabledReason={rejects.data?.total === 0 ? t.empty : denied}
        >
          {t.releaseAll}
        </ActionButton>
      }
    >
      <DataTable
        label={t.title}
        id="site-rejects"
        columns={useRejectColumns()}
        read={rejects}
        rowKey={(reject) => reject.id}
        rowName={(reject) => reject.remote_addr}
        onPage={setSearch}
        filtered={filterNames.some((name) => search[name] !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            problemOf={useFilterProblems(query)}
            fields={[
              { name: 'remote_addr', label: t.address, kind: 'text', inBar: true },
              { name: 'site_id', label: t.site, kind: 'remote', load: findSites, chosen: site, inBar: true },
              {
                name: 'state',
                label: t.state,
                kind: 'select',
                inBar: true,
                options: siteRejectStates.map((value) => ({ value, label: t.states[value] })),
              },
              { name: 'decision', label: t.reason, kind: 'select', options: sections },
            ]}
          />
        }
        empty={
          <EmptyState
            icon="warning"
            title={t.empty}
            hint={t.emptyHint}
            action={
              <LinkButton target={to.refusedLogs()} icon="log" variant="contained">
                {t.refusedLog}
              </LinkButton>
            }
          />
        }
        rowActions={(reject) =>
          reject.state === 'standing'
            ? [
                {
                  label: t.release,
                  icon: 'sign-out',
                  onClick: () => setAsking(reject),
                  disabledReason: denied,
                },
              ]
            : []
        }
      />
      {asking && (
        <Confirm
          title={asking === 'all' ? t.releaseAllTitle : t.releaseTitle}
          body={asking !== 'all' ? t.releaseBody(1) : search.site_id ? t.releaseAllOfSite : t.releaseAllBody}
          action={asking === 'all' ? t.releaseAll : t.release}
          onConfirm={letIn}
          onClose={() => setAsking(null)}
        />
      )}
    </Page>
  );
}

const tones: Record<SiteRejectState, Tone> = { standing: 'error', ended: 'neutral', released: 'success' };

function useRejectColumns(): Column<SiteReject>[] {
  const t = useText(siteRejectText);
  const decisionName = useDecisionName();
  return useMemo(
    () => [
      {
        id: 'remote_addr',
        header: t.address,
        cell: ({ remote_addr }) => <TextLink target={to.accessLogs({ remote_addr })}>{remote_addr}</TextLink>,
      },
      {
        id: 'site',
        header: t.site,
        cell: ({ site_id, site_name }) => (
          <TextLink target={to.siteDetail({ id: site_id })}>{site_name || `#${site_id}`}</TextLink>
        ),
      },
      { id: 'decision', header: t.reason, cell: ({ decision }) => decisionName(decision) },
      {
        id: 'state',
        header: t.state,
        cell: ({ state, released_by }) => (
          <>
            <StatusChip tone={tones[state]} label={t.states[state]} />
            {released_by !== null && (
              <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                {t.releasedBy(released_by)}
              </Typography>
            )}
          </>
        ),
      },
      { id: 'since', header: t.since, cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: 'until',
        header: t.until,
        cell: ({ released_at, expires_at }) => <Time at={released_at ?? expires_at} />,
      },
    ],
    [t, decisionName],
  );
}
