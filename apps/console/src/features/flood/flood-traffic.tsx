import { addressMinutesKeptHours, packetKinds, type AddressMinute, type Flood } from '@breakwater/contract';
import { Alert, Box } from '@mui/material';
import { useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import { packetText } from '../../domain/packet.text.ts';
import { useText } from '../../i18n/text.ts';
import { chartTones } from '../../kit/charts/chart-palette.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatBitRate, formatCount } from '../../kit/format.ts';
import { Section } from '../../kit/page.tsx';
import { minutePoints } from './flood-series.ts';
import { floodInterval } from './flood-state.tsx';
import { floodText } from './flood.text.ts';

/** What came to the address, by the minute. */
export function FloodTraffic({ flood: { id, state } }: { flood: Flood }) {
  const t = useText(floodText);
  const refetchInterval = state === 'open' && floodInterval;
  const { data, error } = useApi('getFloodTraffic', { params: { id } }, { refetchInterval });
  const minutes = data?.minutes;
  const packets = usePacketSeries(minutes);
  const bits = useMemo(
    () =>
      minutes && [
        {
          name: t.bitsOverTime,
          tone: 'primary' as const,
          points: minutePoints(minutes, (each) => each.bits),
        },
      ],
    [minutes, t],
  );
  if (error && !data) return <Alert severity="error">{error.message}</Alert>;
  // Figures by the minute are kept for 48 hours, floods for much longer.
  if (minutes?.length === 0)
    return (
      <Section>
        <EmptyState icon="chart" title={t.noTraffic} hint={t.noTrafficHint(addressMinutesKeptHours)} />
      </Section>
    );
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <TimeSeriesCard title={t.packetsOverTime} series={packets} format={formatCount} stacked />
      <TimeSeriesCard title={t.bitsOverTime} series={bits} format={formatBitRate} />
    </Box>
  );
}

/** Of the kinds that there were, each in a colour of its own. */
function usePacketSeries(minutes: readonly AddressMinute[] | undefined) {
  const { kinds } = useText(packetText);
  return useMemo(
    () =>
      minutes &&
      packetKinds.flatMap((kind, index) =>
        minutes.some(({ packets }) => packets[kind] > 0)
          ? [
              {
                name: kinds[kind],
                // By its place among all kinds, so that a kind has the same colour in every flood.
                tone: chartTones[index]!,
                points: minutePoints(minutes, ({ packets }) => packets[kind]),
              },
            ]
          : [],
      ),
    [minutes, kinds],
  );
}
