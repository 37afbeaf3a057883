import {
  siteRejectRoutes,
  siteRejectStates,
  type SiteReject,
  type SiteRejectState,
} from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { findSites, useSiteChoice } from '../../api/options.ts';
import { useApi, useChange } from '../../api/query.ts';
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
  const release = useChange('releaseSiteRejects', ['listSiteRejects']);
  const [asking, setAsking] = useState<SiteReject | null>(null);
  const [releasing, setReleasing] = useState<{ site_id?: number } | null>(null);
  const site = useSiteChoice(search.site_id);
  const sections = useRefusingSections();
  const denied = may('releaseSiteRejects') ? undefined : kit.noPermission;
  const letIn = async () => {
    const { released } = await release.mutateAsync({ body: { ids: [asking!.id] } });
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
          onClick={() => setReleasing(search.site_id ? { site_id: search.site_id } : {})}
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
          title={t.releaseTitle}
          body={t.releaseBody(1)}
          action={t.release}
          onConfirm={letIn}
          onClose={() => setAsking(null)}
        />
      )}
      {releasing && <ReleaseAll of={releasing} onClose={() => setReleasing(null)} />}
    </Page>
  );
}

/** Lets in all that stand, of one site or of all: as many as are said here, and no more. */
function ReleaseAll({ of, onClose }: { of: { site_id?: number }; onClose: () => void }) {
  const t = useText(siteRejectText);
  const kit = useText(kitText);
  const standing = useApi('listSiteRejects', { query: { ...of, state: 'standing', page_size: 1 } });
  const release = useChange('releaseAllSiteRejects', ['listSiteRejects']);
  const total = standing.data?.total;
  return (
    <Confirm
      title={t.releaseAllTitle}
      body={
        <Typography role="status">
          {total === undefined ? kit.loading : (of.site_id ? t.releaseAllOfSite : t.releaseAllBody)(total)}
        </Typography>
      }
      action={t.releaseAll}
      onConfirm={async () => {
        if (total === undefined) throw new Error(standing.error?.message ?? kit.loading);
        try {
          const { released } = await release.mutateAsync({ body: { ...of, expected_total: total } });
          notify.success(t.released(released));
        } finally {
          void standing.refetch();
        }
      }}
      onClose={onClose}
    />
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
