import { pagination, usageKinds, type Usage, type UsageKind } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo } from 'react';
import * as z from 'zod';
import { useMay } from '../../api/account.ts';
import { useUsage } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatBitRate, formatBytes, formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { RankedPage, rankedSearch, RankingGrid, RankingOf, useRanked } from './analysis.tsx';
import { analysisText } from './analysis.text.ts';

/** The table of usage has pages of its own, which the address holds beside the filters. */
const statsSearch = rankedSearch.extend({
  ...pagination,
  kind: z.enum(usageKinds).default('site'),
});
type StatsSearch = z.output<typeof statsSearch>;
type ChangeSearch = (patch: Partial<Record<keyof StatsSearch, unknown>>) => void;

/**
 * Statuses, states of the cache and methods of all requests, and what each site or order used. For bills and for
 * finding what is unusual.
 */
export function AccessStats() {
  const t = useText(analysisText);
  const [search, setSearch] = useSearchState(statsSearch);
  const { renew, shared, about } = useRanked(search);
  return (
    <RankedPage
      title={t.statsTitle}
      subtitle={t.statsSubtitle}
      search={search}
      range={shared.range}
      onChange={setSearch}
      onRefresh={renew}
    >
      <RankingGrid columns={3}>
        <RankingOf
          {...shared}
          name="rankStatuses"
          title={t.statuses}
          link={(status_code) => to.accessLogs({ ...about, status_code })}
        />
        <RankingOf
          {...shared}
          name="rankCacheStates"
          title={t.cacheStates}
          link={(cache_status) => to.accessLogs({ ...about, cache_status })}
        />
        <RankingOf
          {...shared}
          name="rankMethods"
          title={t.methods}
          link={(method) => to.accessLogs({ ...about, method })}
        />
      </RankingGrid>
      <UsageTable range={shared.range} askedAt={shared.askedAt} search={search} onChange={setSearch} />
    </RankedPage>
  );
}

interface UsageTableProps {
  range: TimeRange;
  askedAt: number;
  search: StatsSearch;
  onChange: ChangeSearch;
}

/** What a bill is made of: of each site or order, whatever the other filters say but the customer. */
function UsageTable({ range, askedAt, search, onChange }: UsageTableProps) {
  const t = useText(analysisText);
  const { kind, client_id, current_page, page_size } = search;
  // Summed up by the server over the whole range; only the page is sent.
  const read = useUsage(kind, range, { client_id, current_page, page_size }, askedAt);
  const columns = useUsageColumns(kind);
  return (
    <>
      <Typography variant="h6" component="h2">
        {t.usage}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: -1.5 }}>
        {t.percentileHint}
      </Typography>
      <DataTable
        label={t.usage}
        id="usage"
        columns={columns}
        read={read}
        rowKey={({ id }) => id}
        rowName={({ id, name }) => name || `#${id}`}
        onPage={onChange}
        actions={
          <ChoiceButtons
            label={t.usageOf}
            value={kind}
            values={usageKinds}
            names={t.kinds}
            onChange={(chosen) => onChange({ kind: chosen, current_page: 1 })}
          />
        }
        empty={<EmptyState icon="chart" title={t.noUsage} hint={t.noUsageHint} />}
      />
    </>
  );
}

/** Named as bills name them; bandwidth is a peak and the 95th percentile, by either of which it is sold. */
function useUsageColumns(kind: UsageKind): Column<Usage>[] {
  const t = useText(analysisText);
  const may = useMay()('listClients');
  return useMemo(
    () => [
      { id: 'name', header: t.kinds[kind], cell: (usage) => nameOf(usage, kind, t.deleted) },
      ...(may ? [{ id: 'client', header: t.client, cell: clientOf }] : []),
      { id: 'requests', header: t.requests, align: 'right', cell: ({ requests }) => formatCount(requests) },
      { id: 'flux', header: t.flux, align: 'right', cell: ({ flux }) => formatBytes(flux) },
      {
        id: 'bandwidth_peak',
        header: t.peak,
        align: 'right',
        cell: ({ bandwidth_peak }) => formatBitRate(bandwidth_peak),
      },
      {
        id: 'bandwidth_95',
        header: t.percentile,
        align: 'right',
        cell: ({ bandwidth_95 }) => formatBitRate(bandwidth_95),
      },
    ],
    [t, kind, may],
  );
}

function clientOf({ client_id: id, client_name: name }: Usage) {
  return name === '' ? `#${id}` : <TextLink target={to.clientDetail({ id })}>{name}</TextLink>;
}

function nameOf({ id, name }: Usage, kind: UsageKind, deleted: (id: number) => string) {
  // Figures outlast what they are of.
  if (name === '') return deleted(id);
  const target = kind === 'site' ? to.siteDetail({ id }) : to.orderDetail({ id });
  return <TextLink target={target}>{name}</TextLink>;
}
