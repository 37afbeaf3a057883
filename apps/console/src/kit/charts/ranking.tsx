import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { ChartCard } from './chart-card.tsx';
import { formatShare } from '../format.ts';
import { totalOf, type Part } from './part.ts';
import { PartsTable } from './parts-table.tsx';
import { readable } from '../readable.tsx';

interface RankingCardProps {
  title: string;
  figure?: ReactNode;
  /** In any order; undefined: on its way. */
  items: readonly Part[] | undefined;
  /** Of all, those that are not among the items too; their sum unless said. */
  total?: number | undefined;
  format: (value: number) => string;
  /** So many are shown as bars; the table has all. */
  top?: number;
  height?: number;
}

/** Who has the most, as bars. */
export function RankingCard({
  title,
  figure,
  items,
  total,
  format,
  top = 10,
  height = 300,
}: RankingCardProps) {
  const sorted = (items ?? []).toSorted((a, b) => b.value - a.value);
  const largest = sorted[0]?.value ?? 0;
  const whole = total ?? totalOf(sorted);
  return (
    <ChartCard
      title={title}
      figure={figure}
      height={height}
      state={items === undefined ? 'loading' : totalOf(items) > 0 ? 'ready' : 'empty'}
      table={() => <PartsTable parts={sorted} total={whole} format={format} />}
    >
      {() => (
        <Box component="ol" aria-label={title} sx={{ listStyle: 'none', m: 0, p: 0, minHeight: height }}>
          {sorted.slice(0, top).map(({ name, label, value }, index) => (
            <Box key={name} component="li" sx={{ py: 0.5 }}>
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'baseline' }}>
                <Typography variant="body2" sx={{ color: 'text.secondary', width: 22, textAlign: 'right' }}>
                  {index + 1}
                </Typography>
                <Typography variant="body2" component="div" noWrap title={name} sx={{ flex: 1, minWidth: 0 }}>
                  {readable(label ?? name)}
                </Typography>
                <Typography variant="body2" sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
                  {format(value)}
                </Typography>
                <Typography
                  variant="caption"
                  sx={{ color: 'text.secondary', minWidth: 44, textAlign: 'right', whiteSpace: 'nowrap' }}
                >
                  {formatShare(value / whole)}
                </Typography>
              </Stack>
              <Box sx={{ height: 6, mt: 0.5, ml: 4.25, borderRadius: 3, bgcolor: 'action.hover' }}>
                <Box
                  sx={{ height: 6, borderRadius: 3, bgcolor: index === 0 ? 'primary.main' : 'info.main' }}
                  style={{
                    width: `${largest === 0 ? 0 : (value / largest) * 100}%`,
                    minWidth: value > 0 ? 3 : 0,
                  }}
                />
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </ChartCard>
  );
}
