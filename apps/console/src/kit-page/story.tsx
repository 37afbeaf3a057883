import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

/** One part in one state. */
export function Story({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="h2" variant="overline" sx={{ color: 'text.secondary', display: 'block', mb: 1 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

export function Stories({ children }: { children: ReactNode }) {
  return <Stack sx={{ gap: 4 }}>{children}</Stack>;
}

export function StoryGrid({ children, min = 320 }: { children: ReactNode; min?: number }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 3,
        alignItems: 'start',
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${min}px), 1fr))`,
      }}
    >
      {children}
    </Box>
  );
}
