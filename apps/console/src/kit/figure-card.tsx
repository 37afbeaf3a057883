import { Box, Card, Skeleton, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { IconName } from './icon-names.ts';
import { Icon } from './icon.tsx';

interface FigureCardProps {
  label: string;
  /** Undefined: on its way. */
  value: string | undefined;
  detail?: ReactNode;
  icon?: IconName;
  tone?: 'primary' | 'info' | 'warning' | 'error' | 'secondary';
}

/** One figure that is read from afar. */
export function FigureCard({ label, value, detail, icon, tone = 'primary' }: FigureCardProps) {
  return (
    <Card component="section" aria-label={label} sx={{ p: { xs: 1.75, sm: 2.5 }, minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary', fontWeight: 500 }}>
            {label}
          </Typography>
          <Typography
            component="p"
            variant="h4"
            sx={{ mt: 0.5, whiteSpace: 'nowrap', fontSize: { xs: '1.25rem', sm: '1.5rem' } }}
          >
            {value ?? <Skeleton width="60%" />}
          </Typography>
        </Box>
        {icon && (
          <Box
            sx={(theme) => ({
              display: { xs: 'none', sm: 'block' },
              p: 1,
              borderRadius: 1.5,
              lineHeight: 0,
              color: theme.vars!.palette[tone].main,
              bgcolor: theme.alpha(theme.vars!.palette[tone].main, 0.12),
            })}
          >
            <Icon name={icon} size={24} />
          </Box>
        )}
      </Stack>
      {detail && (
        <Typography component="div" variant="caption" sx={{ color: 'text.secondary', mt: 0.5 }}>
          {detail}
        </Typography>
      )}
    </Card>
  );
}

/** Cards side by side: so many columns where there is room, two on a phone. */
export function FigureGrid({ columns = 3, children }: { columns?: number; children: ReactNode }) {
  const gridTemplateColumns = {
    xs: 'repeat(2, minmax(0, 1fr))',
    md: 'repeat(3, minmax(0, 1fr))',
    lg: `repeat(${columns}, minmax(0, 1fr))`,
  };
  return <Box sx={{ display: 'grid', gap: { xs: 1.5, sm: 3 }, gridTemplateColumns }}>{children}</Box>;
}
