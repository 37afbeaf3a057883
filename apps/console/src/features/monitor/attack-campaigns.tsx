import type { AttackCampaign, AttackOutcome, CampaignKey } from '@breakwater/contract';
import { useMemo } from 'react';
import { useAttackCampaigns } from '../../api/monitor.ts';
import { useAttackKindName } from '../../domain/decision.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatCount, formatList } from '../../kit/format.ts';
import { to, type Target } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { Time } from '../../kit/time.tsx';
import { pageLink, type Selection } from './analysis.tsx';
import { attackStatsText } from './attack-stats.text.ts';

/** As many as are asked for: one page. */
const campaignsShown = 20;

interface CampaignsProps extends Omit<Selection, 'by'> {
  about: Record<string, string | number | undefined>;
  by: CampaignKey;
  outcome: AttackOutcome;
}

/** What belongs together among attack requests; each leads to its records. */
export function AttackCampaigns({ range, scope, askedAt, about, by, outcome }: CampaignsProps) {
  const t = useText(attackStatsText);
  const read = useAttackCampaigns({ range, scope, outcome, askedAt, by });
  const { data } = read;
  const list = data?.list;
  const rows = list && { list, total: list.length, current_page: 1, page_size: campaignsShown };
  const hints: Partial<Record<CampaignKey, string>> = {
    network: t.noNetworksHint,
    tls_client: t.noTlsClientsHint,
  };
  return (
    <DataTable
      label={t.campaigns}
      id="attack-campaigns"
      columns={useColumns({ about, by, outcome })}
      read={{ ...read, data: rows }}
      rowKey={({ source, first_seen }) => `${source} ${first_seen}`}
      rowName={({ source }) => source}
      // All that are asked for are there: there is no other page to go to.
      onPage={() => undefined}
      empty={<EmptyState icon="warning" title={t.noCampaigns} hint={hints[by] ?? t.noCampaignsHint} />}
    />
  );
}

/** The records of a campaign. */
function recordsOf(
  { source, first_seen, last_seen }: AttackCampaign,
  { about, by, outcome }: Pick<CampaignsProps, 'about' | 'by' | 'outcome'>,
): Target {
  // The end of a search is excluded, and the last request belongs to it.
  const range = { start_time: first_seen, end_time: new Date(Date.parse(last_seen) + 1).toISOString() };
  const logs = (part: Record<string, string | number>) => {
    const search = { ...about, ...range, ...part };
    return outcome === 'refused'
      ? to.refusedLogs(search)
      : to.accessLogs({ ...search, waf: 'observe', refused: 'no' });
  };
  switch (by) {
    case 'network':
      return logs({ asn: Number(source) });
    case 'address':
      return logs({ remote_addr: source });
    case 'tool':
      return logs({ user_agent: source });
    case 'tls_client':
      return logs({ ja4: source });
    case 'target':
      return pageLink(source, logs);
  }
}

function useColumns({ about, by, outcome }: Pick<CampaignsProps, 'about' | 'by' | 'outcome'>) {
  const t = useText(attackStatsText);
  const kindName = useAttackKindName();
  const language = useLanguage();
  // Made anew with each answer of the address, which is no reason to draw the rows again.
  const text = JSON.stringify(about);
  return useMemo((): Column<AttackCampaign>[] => {
    const search = { about: JSON.parse(text) as CampaignsProps['about'], by, outcome };
    return [
      {
        id: 'source',
        header: t.keys[by],
        cell: (campaign) => (
          <TextLink target={recordsOf(campaign, search)}>
            {by === 'network' ? `AS${campaign.source}` : campaign.source}
          </TextLink>
        ),
      },
      { id: 'first_seen', header: t.firstSeen, cell: ({ first_seen }) => <Time at={first_seen} /> },
      { id: 'last_seen', header: t.lastSeen, cell: ({ last_seen }) => <Time at={last_seen} /> },
      { id: 'requests', header: t.requests, align: 'right', cell: ({ requests }) => formatCount(requests) },
      {
        id: 'addresses',
        header: t.fromAddresses,
        align: 'right',
        cell: ({ addresses }) => formatCount(addresses),
      },
      {
        id: 'sites',
        header: t.hitSites,
        cell: (campaign) => <Sites of={campaign} />,
      },
      { id: 'kinds', header: t.attackKinds, cell: ({ kinds }) => formatList(kinds.map(kindName), language) },
    ];
  }, [t, kindName, language, text, by, outcome]);
}

function Sites({ of: { sites, site_count: count } }: { of: AttackCampaign }) {
  const t = useText(attackStatsText);
  if (sites.length === 0) return <>–</>;
  return (
    <>
      {sites.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink target={to.siteDetail({ id })}>{name || `#${id}`}</TextLink>
        </span>
      ))}
      {count > sites.length && ` ${t.moreSites(count)}`}
    </>
  );
}
