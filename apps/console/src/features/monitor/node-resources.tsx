import {
  nodeResources,
  resourceIntervals,
  resourceMinutesKeptHours,
  resourceNodesMax,
  type NodeResource,
  type NodeResourceSeries,
} from '@breakwater/contract';
import { Alert, Box, Card, Chip, Stack, Typography } from '@mui/material';
import { useMemo } from 'react';
import * as z from 'zod';
import { nodeChoices } from '../../api/options.ts';
import { useChosen } from '../../kit/fields/choices.ts';
import { useApi } from '../../api/query.ts';
import { stepFor, type TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { chartTones } from '../../kit/charts/chart-palette.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { RemotePicker } from '../../kit/fields/remote-picker.tsx';
import { formatBitRate, formatCount, formatShare } from '../../kit/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { roundedNow, timeRange } from '../../kit/time-range.ts';
import { useNow } from '../../kit/use-now.ts';
import { RankingGrid } from './analysis.tsx';
import { chosenRange, monitorSearch } from './monitor-filters.tsx';
import { RangeBar } from './monitor-range.tsx';
import { nodeResourcesText } from './node-resources.text.ts';

/** Each step has both: a mean hides what lasted seconds, a peak shows nothing else. */
const kinds = ['mean', 'peak'] as const;
type Kind = (typeof kinds)[number];
const resourceSearch = monitorSearch
  .pick({ range: true, start_time: true, end_time: true, refresh: true })
  .extend({
    /** By comma. */
    nodes: z
      .string()
      .regex(/^\d{1,9}(?:,\d{1,9}){0,5}$/)
      .optional(),
    show: z.enum(kinds).default('mean'),
  });

const formats: Record<NodeResource, (value: number) => string> = {
  cpu: formatShare,
  load: (value) => String(Number(value.toFixed(2))),
  memory: formatShare,
  disk: formatShare,
  // In bits, as all bandwidths are.
  network_in: (value) => formatBitRate(value * 8),
  network_out: (value) => formatBitRate(value * 8),
  connections: formatCount,
};
/** They end at 1, so that a chart does not make a hill of three per cent. */
const shares: readonly NodeResource[] = ['cpu', 'memory', 'disk'];

/** How nodes fare, beside one another. */
export function NodeResources() {
  const t = useText(nodeResourcesText);
  const [search, setSearch] = useSearchState(resourceSearch);
  const [now, renew] = useNow(search.refresh * 1000);
  const range = timeRange(search.range, roundedNow(now), chosenRange(search));
  // Without a choice the server picks those that are busiest: what it picked for one chart is asked for by the others.
  const first = useResource('cpu', range, now, search.nodes);
  // The same nodes in every chart, each with a colour of its own.
  const nodes = search.nodes ?? first.data?.nodes.map(({ id }) => id).join(',');
  const shown = { range, now, nodes, show: search.show };
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <ChoiceButtons
          label={t.shows}
          value={search.show}
          values={kinds}
          names={t.shown}
          onChange={(show) => setSearch({ show })}
        />
      }
    >
      <Card sx={{ p: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <RangeBar search={search} range={range} onChange={setSearch} onRefresh={renew} />
        <NodeChoice text={search.nodes} onChange={(chosen) => setSearch({ nodes: chosen })} />
      </Card>
      {first.error && <Alert severity="error">{first.error.message}</Alert>}
      {first.data?.total === 0 ? (
        <Card>
          <EmptyState
            icon="node"
            title={t.none}
            hint={t.noneHint}
            action={
              <LinkButton target={to.nodes()} icon="node" variant="contained">
                {t.toNodes}
              </LinkButton>
            }
          />
        </Card>
      ) : (
        <RankingGrid>
          {nodeResources.map((metric) => (
            <ResourceChart key={metric} metric={metric} {...shown} />
          ))}
        </RankingGrid>
      )}
      {first.data && first.data.total > first.data.nodes.length && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t.shownOf(first.data.nodes.length, first.data.total)}
        </Typography>
      )}
    </Page>
  );
}

/** `text`: ids by comma, as the address has them; undefined: the server picks. */
interface NodeChoiceProps {
  text: string | undefined;
  onChange: (nodes: string | undefined) => void;
}

/** Which nodes are compared: found by name as one types, since there may be many. */
function NodeChoice({ text, onChange }: NodeChoiceProps) {
  const t = useText(nodeResourcesText);
  const ids = useMemo(() => text?.split(',').map(Number) ?? [], [text]);
  const chosen = useChosen(nodeChoices, ids);
  const change = (next: readonly number[]) => onChange(next.join(',') || undefined);
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={t.nodes}
      sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}
    >
      <Box sx={{ flex: '0 1 260px' }}>
        {ids.length < resourceNodesMax ? (
          <RemotePicker
            label={t.add}
            placeholder={ids.length === 0 ? t.allNodes : ''}
            choices={nodeChoices}
            value={undefined}
            onChange={(id) => id !== undefined && !ids.includes(id) && change([...ids, id])}
          />
        ) : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t.most(resourceNodesMax)}
          </Typography>
        )}
      </Box>
      {chosen.map(({ value, label }) => (
        <NodeChip key={value} name={label} onDelete={() => change(ids.filter((id) => id !== value))} />
      ))}
    </Stack>
  );
}

function NodeChip({ name, onDelete }: { name: string; onDelete: () => void }) {
  const t = useText(nodeResourcesText);
  return (
    <Chip
      variant="outlined"
      label={name}
      aria-label={t.leaveOut(name)}
      onClick={onDelete}
      onDelete={onDelete}
      deleteIcon={
        <span aria-hidden="true">
          <Icon name="close" size={16} />
        </span>
      }
    />
  );
}

/** Minutes are kept for two days: what begins before has steps of an hour at least. */
function useResource(
  metric: NodeResource,
  range: TimeRange,
  now: number,
  nodes: string | undefined,
  enabled = true,
) {
  const isOld = Date.parse(range.start_time) < now - resourceMinutesKeptHours * 3_600_000;
  const steps = resourceIntervals.filter((step) => !isOld || step >= 3600);
  const query = { metric, ...range, interval: stepFor(range, steps), ...(nodes ? { node_ids: nodes } : {}) };
  return useApi('getNodeResources', { query }, { keepPrevious: true, passing: true, enabled, askedAt: now });
}

interface ResourceChartProps {
  metric: NodeResource;
  range: TimeRange;
  now: number;
  nodes: string | undefined;
  show: Kind;
}

function ResourceChart({ metric, range, now, nodes, show }: ResourceChartProps) {
  const t = useText(nodeResourcesText);
  const { data, error } = useResource(metric, range, now, nodes, nodes !== undefined);
  // In the order they were chosen in, whatever order they come back in: a node keeps its colour when another one is left out.
  const order = nodes?.split(',').map(Number) ?? [];
  const sorted = data?.nodes.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return (
    <TimeSeriesCard
      title={t.resources[metric]}
      series={
        sorted ? sorted.map((node) => seriesOf(node, show, order.indexOf(node.id))) : error ? null : undefined
      }
      format={formats[metric]}
      {...(shares.includes(metric) ? { max: 1 } : {})}
    />
  );
}

const seriesOf = ({ name, points }: NodeResourceSeries, show: Kind, index: number) => ({
  name,
  tone: chartTones[Math.max(0, index) % chartTones.length]!,
  points: points.map((point) => ({ time: point.time, value: point[show] })),
});
