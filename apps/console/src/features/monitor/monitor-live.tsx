import type { LiveFigures } from '@breakwater/contract';
import { Alert, Box, LinearProgress, Typography } from '@mui/material';
import { useState } from 'react';
import type { MonitorScope } from '../../api/monitor.ts';
import { useStream } from '../../api/stream.ts';
import { useText } from '../../i18n/text.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { alarmTone, FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatCount, formatShare } from '../../kit/format.ts';
import { pointsOf, withSecond, type LiveSecond } from './live-seconds.ts';
import { monitorLiveText } from './monitor-live.text.ts';

/** Null where nobody asked for anything: no share, and a gap in the chart. */
const hitRate = ({ hits, requests }: LiveFigures): number | null => (requests === 0 ? null : hits / requests);

/** The traffic of each second as the nodes tell of it. */
export function MonitorLive({ scope }: { scope: MonitorScope }) {
  const t = useText(monitorLiveText);
  const [seconds, setSeconds] = useState<LiveSecond[]>([]);
  const { site_id, order_id, client_id, node_id } = scope;
  // Nodes count each second by these alone; what else narrows the range is left out, and its filters are folded away.
  const refused = useStream('watchLive', { query: { site_id, order_id, client_id, node_id } }, (event) => {
    if (event.type === 'second') setSeconds((before) => withSecond(before, event));
  });
  const last = seconds.at(-1);
  // Whoever sees some sites of an account watches one at a time: nodes count by site and by account, not by some sites of it.
  if (refused?.fields.some(({ path }) => path === 'site_id'))
    return <Alert severity="info">{t.oneSite}</Alert>;
  if (refused) return <Alert severity="error">{refused.message}</Alert>;
  if (!last)
    return (
      <Box role="status">
        <Typography variant="body2" sx={{ mb: 1, color: 'text.secondary' }}>
          {t.waiting}
        </Typography>
        <LinearProgress aria-label={t.waiting} />
      </Box>
    );
  return (
    <>
      <Silence last={last} />
      <Figures last={last} />
      <Charts seconds={seconds} />
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t.about}
      </Typography>
    </>
  );
}

/** Sums lack what nodes did not tell of: that is said before anybody reads them. */
function Silence({ last }: { last: LiveSecond }) {
  const t = useText(monitorLiveText);
  if (last.nodes === 0) return <Alert severity="warning">{t.noNode}</Alert>;
  const silent = last.nodes_expected - last.nodes;
  return silent > 0 && <Alert severity="warning">{t.silent(silent, last.nodes_expected)}</Alert>;
}

function Figures({ last: { figures, connections, nodes } }: { last: LiveSecond }) {
  const t = useText(monitorLiveText);
  // A second that no node told of is unknown, not zero.
  const shown = (of: (figures: LiveFigures) => string) => (figures ? of(figures) : '–');
  return (
    <FigureGrid columns={5}>
      <FigureCard
        label={t.bandwidth}
        value={shown(({ bytes }) => formatBitRate(bytes * 8))}
        icon="traffic"
        tone="info"
      />
      <FigureCard
        label={t.requests}
        value={shown(({ requests }) => formatCount(requests))}
        icon="log"
        tone="secondary"
        detail={figures && t.originRequests(formatCount(figures.origin_requests))}
      />
      <FigureCard label={t.hitRate} value={shown((one) => formatShare(hitRate(one)))} icon="hit" />
      <FigureCard
        label={t.errors}
        value={shown(({ status_5xx }) => formatCount(status_5xx))}
        icon="fault"
        tone={alarmTone(figures?.status_5xx)}
      />
      {/* Open connections are of whole nodes, with all their sites, and told to administrators alone; customers see what was
          refused. */}
      {connections === undefined ? (
        <FigureCard label={t.refused} value={shown(({ refused }) => formatCount(refused))} icon="refused" />
      ) : (
        <FigureCard
          label={t.connections}
          value={nodes === 0 ? '–' : formatCount(connections)}
          icon="node"
          detail={t.connectionsHint}
        />
      )}
    </FigureGrid>
  );
}

function Charts({ seconds }: { seconds: readonly LiveSecond[] }) {
  const t = useText(monitorLiveText);
  const pair = (visitors: (figures: LiveFigures) => number, origin: (figures: LiveFigures) => number) => [
    { name: t.visitors, points: pointsOf(seconds, visitors), tone: 'primary' as const },
    { name: t.origin, points: pointsOf(seconds, origin), tone: 'warning' as const },
  ];
  const states = [
    { name: '2xx', tone: 'success' as const, points: pointsOf(seconds, (one) => one.status_2xx) },
    { name: '3xx', tone: 'info' as const, points: pointsOf(seconds, (one) => one.status_3xx) },
    { name: '4xx', tone: 'warning' as const, points: pointsOf(seconds, (one) => one.status_4xx) },
    { name: '5xx', tone: 'error' as const, points: pointsOf(seconds, (one) => one.status_5xx) },
  ];
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <TimeSeriesCard
        title={t.bandwidth}
        series={pair(
          ({ bytes }) => bytes * 8,
          ({ origin_bytes }) => origin_bytes * 8,
        )}
        format={formatBitRate}
      />
      <TimeSeriesCard
        title={t.requests}
        series={pair(
          ({ requests }) => requests,
          ({ origin_requests }) => origin_requests,
        )}
        format={formatCount}
      />
      <TimeSeriesCard
        title={t.hitRate}
        series={[{ name: t.hitRate, points: pointsOf(seconds, hitRate), tone: 'primary' }]}
        format={formatShare}
        max={1}
      />
      <TimeSeriesCard title={t.statusClasses} series={states} format={formatCount} stacked />
    </Box>
  );
}
