import { Box, Stack, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { formatShare } from '../format.ts';
import { ChartCard } from './chart-card.tsx';
import { chartTones, toneColour, useChartPalette, type ChartPalette } from './chart-palette.ts';
import { chartText } from './chart.text.ts';
import { largestParts, totalOf, type Part } from './part.ts';
import { PartsTable } from './parts-table.tsx';

interface DonutCardProps {
  title: string;
  figure?: ReactNode;
  /** Undefined: on its way. */
  parts: readonly Part[] | undefined;
  format: (value: number) => string;
  height?: number;
}

const slicesMax = 6;
const radius = 42;
const turn = 2 * Math.PI * radius;

/** Shares of a whole. More than six are five and the rest. */
export function DonutCard({ title, figure, parts, format, height = 220 }: DonutCardProps) {
  return (
    <ChartCard
      title={title}
      figure={figure}
      height={height}
      state={parts === undefined ? 'loading' : totalOf(parts) > 0 ? 'ready' : 'empty'}
      table={() => <PartsTable parts={parts ?? []} format={format} />}
    >
      {() => <Donut title={title} parts={parts ?? []} format={format} height={height} />}
    </ChartCard>
  );
}

function Donut({
  title,
  parts,
  format,
  height,
}: {
  title: string;
  parts: readonly Part[];
  format: (value: number) => string;
  height: number;
}) {
  const t = useText(chartText);
  const palette = useChartPalette();
  const [pointed, setPointed] = useState<string | null>(null);
  const slices = slicesOf(largestParts(parts, slicesMax, t.others), palette);
  const total = totalOf(parts);
  const told = slices.find(({ name }) => name === pointed);
  return (
    <Stack
      direction="row"
      sx={{ minHeight: height, alignItems: 'center', justifyContent: 'center', flexWrap: 'wrap', gap: 3 }}
    >
      <Box sx={{ position: 'relative', width: 190, height: 190 }}>
        <svg
          viewBox="0 0 100 100"
          role="img"
          aria-label={`${title}: ${slices.map(({ name, share }) => `${name} ${formatShare(share)}`).join(', ')}`}
        >
          {slices.map(({ name, colour, start, share }) => (
            <circle
              key={name}
              cx="50"
              cy="50"
              r={radius}
              fill="none"
              stroke={colour}
              strokeWidth={name === pointed ? 15 : 12}
              // A gap of a pixel parts the slices, unless one is all.
              strokeDasharray={`${Math.max(0.5, share * turn - (share < 1 ? 1 : 0))} ${turn}`}
              transform={`rotate(${start * 360 - 90} 50 50)`}
              onPointerEnter={() => setPointed(name)}
              onPointerLeave={() => setPointed(null)}
              style={{ transition: 'stroke-width 120ms' }}
            />
          ))}
        </svg>
        <Stack
          sx={{
            position: 'absolute',
            inset: 36,
            alignItems: 'center',
            justifyContent: 'center',
            textAlign: 'center',
            pointerEvents: 'none',
          }}
        >
          <Typography variant="caption" noWrap sx={{ color: 'text.secondary', maxWidth: '100%' }}>
            {told?.name ?? t.total}
          </Typography>
          <Typography variant="subtitle1" component="span">
            {format(told?.value ?? total)}
          </Typography>
        </Stack>
      </Box>
      <Box component="ul" sx={{ flex: '1 1 180px', maxWidth: 320, listStyle: 'none', m: 0, p: 0 }}>
        {slices.map(({ name, colour, share, value }) => (
          <Stack
            key={name}
            component="li"
            direction="row"
            sx={{
              alignItems: 'center',
              gap: 1,
              px: 1,
              py: 0.5,
              borderRadius: 1,
              bgcolor: name === pointed ? 'action.hover' : 'transparent',
            }}
            onPointerEnter={() => setPointed(name)}
            onPointerLeave={() => setPointed(null)}
          >
            <Box
              component="span"
              sx={{ width: 8, height: 8, flexShrink: 0, borderRadius: '50%', bgcolor: colour }}
            />
            <Typography variant="body2" noWrap title={name} sx={{ flex: 1, minWidth: 0 }}>
              {name}
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
              {format(value)}
            </Typography>
            <Typography variant="body2" sx={{ fontWeight: 600, minWidth: 48, textAlign: 'right' }}>
              {formatShare(share)}
            </Typography>
          </Stack>
        ))}
      </Box>
    </Stack>
  );
}

function slicesOf(parts: readonly Part[], palette: ChartPalette) {
  const total = totalOf(parts);
  return parts.map((part, index) => ({
    ...part,
    share: part.value / total,
    start: totalOf(parts.slice(0, index)) / total,
    colour: toneColour(chartTones[index % chartTones.length]!, palette),
  }));
}
