import { Box, Stack, Typography } from '@mui/material';
import { useId, useMemo, useState } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import { useText } from '../../i18n/text.ts';
import { chartText } from './chart.text.ts';
import { outline, project, ringsPath, unwrapped, type Ring } from './projection.ts';
import { alpha2Codes, dots } from './region-codes.ts';

interface WorldShapesProps {
  title: string;
  regions: readonly { code: string; value: number }[];
  format: (value: number) => string;
  nameOf: (code: string) => string;
}

interface Shape {
  code: string;
  path: string;
}

const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** Shapes of Natural Earth (public domain); without Antarctica, where nobody asks. */
const shapes: Shape[] = feature(topology, topology.objects.countries).features.flatMap(({ id, geometry }) => {
  const code = alpha2Codes.get(String(id)) ?? '';
  if (code === 'AQ' || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return [];
  const rings: Ring[] = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
  return [{ code, path: ringsPath(rings.flatMap(unwrapped)) }];
});

const box = { left: -258, top: -137, width: 520, height: 238 };
/** Steps of colour, from little to much. */
const steps = [0.2, 0.4, 0.6, 0.8, 1] as const;

/** A step by the logarithm: a few regions have most of everything. */
export function stepOf(value: number, largest: number): number {
  if (value <= 0) return 0;
  const share = largest <= 1 ? 1 : Math.log1p(value) / Math.log1p(largest);
  return steps.find((step) => share ** 3 <= step + 1e-9) ?? 1;
}

/** The map itself, in its own chunk with the shapes. */
export function WorldShapes({ title, regions, format, nameOf }: WorldShapesProps) {
  const clipId = useId();
  const [pointed, setPointed] = useState<string | null>(null);
  const values = useMemo(() => new Map(regions.map(({ code, value }) => [code, value])), [regions]);
  const largest = Math.max(0, ...values.values());
  const told = pointed === null ? undefined : `${nameOf(pointed)}: ${format(values.get(pointed) ?? 0)}`;
  const look = (code: string) => {
    const step = stepOf(values.get(code) ?? 0, largest);
    return step === 0 ? { fill: 'var(--map-empty)' } : { fill: 'var(--map-full)', fillOpacity: step };
  };
  const pointing = (code: string) => ({
    onPointerEnter: () => setPointed(code || null),
    onPointerLeave: () => setPointed(null),
  });
  return (
    <Stack
      sx={(theme) => ({
        height: '100%',
        '--map-empty': theme.vars!.palette.action.selected,
        '--map-full': theme.vars!.palette.primary.main,
        '--map-line': theme.vars!.palette.background.paper,
      })}
    >
      <Box
        component="svg"
        viewBox={`${box.left} ${box.top} ${box.width} ${box.height}`}
        role="img"
        aria-label={title}
        sx={{ flex: 1, minHeight: 0, width: '100%' }}
      >
        <clipPath id={clipId}>
          <path d={outline(-60, 85)} />
        </clipPath>
        <g clipPath={`url(#${clipId})`}>
          {shapes.map(({ code, path }, index) => (
            <path
              key={code || index}
              d={path}
              {...look(code)}
              stroke={code === pointed && code !== '' ? 'currentColor' : 'var(--map-line)'}
              strokeWidth={0.5}
              {...pointing(code)}
            />
          ))}
        </g>
        {Object.entries(dots).map(([code, place]) => {
          if (!values.get(code)) return null;
          const [x, y] = project(place);
          return (
            <circle
              key={code}
              cx={x}
              cy={y}
              r={2.4}
              {...look(code)}
              stroke={code === pointed ? 'currentColor' : 'var(--map-line)'}
              strokeWidth={0.5}
              {...pointing(code)}
            />
          );
        })}
      </Box>
      <Stack
        direction="row"
        sx={{
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          gap: 2,
          minHeight: 24,
        }}
      >
        <Typography variant="body2" sx={{ fontWeight: 600 }}>
          {told}
        </Typography>
        <Scale />
      </Stack>
    </Stack>
  );
}

function Scale() {
  const t = useText(chartText);
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5 }}>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t.less}
      </Typography>
      {steps.map((step) => (
        <Box
          key={step}
          sx={{ width: 20, height: 10, bgcolor: 'var(--map-full)', opacity: step, borderRadius: 0.5 }}
        />
      ))}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t.more}
      </Typography>
    </Stack>
  );
}
