import { Box, Card, CardContent, Skeleton, Stack, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { kitText } from '../kit.text.ts';
import { chartText } from './chart.text.ts';

interface ChartCardProps {
  title: string;
  /** A figure beside the title. */
  figure?: ReactNode;
  /** Buttons beside the title, while the chart is drawn. */
  tools?: ReactNode;
  state: 'loading' | 'failed' | 'empty' | 'ready';
  height: number;
  /** Undefined where the chart is a table already. */
  table?: () => ReactNode;
  children: () => ReactNode;
}

/** Of a card that has no chart to show. */
const emptyHeight = 160;

/** The frame of every chart: title, the chart or the same as a table, or what stands there instead. */
export function ChartCard({ title, figure, tools, state, height, table, children }: ChartCardProps) {
  const t = useText(kitText);
  const own = useText(chartText);
  const [asTable, setAsTable] = useState(false);
  return (
    <Card component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <CardContent sx={{ p: { xs: 2, sm: 3 } }}>
        <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1, mb: 1 }}>
          <Typography component="h2" variant="h6" sx={{ flex: '1 1 120px', minWidth: 0 }}>
            {title}
          </Typography>
          {figure && (
            <Typography variant="subtitle1" component="span" sx={{ whiteSpace: 'nowrap' }}>
              {figure}
            </Typography>
          )}
          {state === 'ready' && !asTable && tools}
          {table && state === 'ready' && (
            <ActionIcon
              icon={asTable ? 'chart' : 'table'}
              label={asTable ? t.showChart : t.showTable}
              onClick={() => setAsTable(!asTable)}
            />
          )}
        </Stack>
        {state === 'loading' && (
          <Skeleton variant="rounded" height={height} role="status" aria-label={own.loading(title)} />
        )}
        {(state === 'empty' || state === 'failed') && (
          <Typography
            variant="body2"
            // A line needs no room of a chart; beside one, the card is as high as that.
            sx={{
              minHeight: Math.min(height, emptyHeight),
              display: 'grid',
              placeItems: 'center',
              color: 'text.secondary',
            }}
          >
            {state === 'empty' ? t.noChartData : own.failed}
          </Typography>
        )}
        {state === 'ready' &&
          (asTable && table ? (
            <Box
              sx={{ maxHeight: height, overflow: 'auto' }}
              tabIndex={0}
              role="region"
              aria-label={`${title}: ${t.showTable}`}
            >
              {table()}
            </Box>
          ) : (
            children()
          ))}
      </CardContent>
    </Card>
  );
}
