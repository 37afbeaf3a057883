import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { readable } from './readable.tsx';

export interface Fact {
  label: string;
  value: ReactNode;
  /** Takes the whole row. */
  wide?: boolean;
}

/** Labelled values of one object, in as many columns as fit. */
export function Facts({ facts, columns = 3 }: { facts: readonly Fact[]; columns?: 1 | 2 | 3 | 4 }) {
  const min = columns === 1 ? '100%' : `${Math.floor(760 / columns)}px`;
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 2.5,
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${min}), 1fr))`,
      }}
    >
      {facts.map(({ label, value, wide }) => (
        <Box key={label} sx={{ minWidth: 0, ...(wide ? { gridColumn: '1 / -1' } : {}) }}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', mb: 0.25 }}>
            {label}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0, fontWeight: 500, overflowWrap: 'anywhere' }}>
            {value === '' || value === null || value === undefined ? '–' : readable(value)}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
