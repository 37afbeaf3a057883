import { Box, Card, CardContent, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { LaterStill } from './later.tsx';
import type { Target } from './links.ts';
import { LinkIconButton } from './router-link.tsx';
import { readable } from './readable.tsx';

interface PageProps {
  title: ReactNode;
  /** One line below the title. */
  subtitle?: ReactNode;
  /** Where the arrow before the title leads. */
  back?: { target: Target; label: string };
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every screen: heading, actions, content. */
export function Page({ title, subtitle, back, actions, children }: PageProps) {
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ alignItems: 'flex-start', flexWrap: 'wrap', gap: 2 }}>
        <Stack direction="row" sx={{ flex: '1 1 240px', minWidth: 0, gap: 1, alignItems: 'flex-start' }}>
          {back && (
            <Box sx={{ ml: -1, mt: -0.25, '[dir=rtl] & svg': { transform: 'scaleX(-1)' } }}>
              <LinkIconButton target={back.target} icon="back" label={back.label} />
            </Box>
          )}
          <Box sx={{ minWidth: 0 }}>
            <Typography
              component="h1"
              variant="h4"
              sx={{ overflowWrap: 'anywhere', fontSize: { xs: '1.25rem', sm: '1.5rem' } }}
            >
              {readable(title)}
            </Typography>
            {subtitle && (
              <Typography component="div" variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
                {readable(subtitle)}
              </Typography>
            )}
          </Box>
        </Stack>
        {actions && (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center', minHeight: 36 }}>
            <LaterStill>{actions}</LaterStill>
          </Stack>
        )}
      </Stack>
      {children}
    </Stack>
  );
}

interface SectionProps {
  title?: ReactNode;
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One card of a screen. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <Card component="section">
      <CardContent sx={{ p: { xs: 2, sm: 3 }, '&:last-child': { pb: { xs: 2, sm: 3 } } }}>
        {(title || actions) && (
          <Stack
            direction="row"
            sx={{ mb: 2, gap: 1, alignItems: hint ? 'flex-start' : 'center', flexWrap: 'wrap' }}
          >
            <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
              <SectionHeading title={title} hint={hint} />
            </Box>
            {actions}
          </Stack>
        )}
        {children}
      </CardContent>
    </Card>
  );
}

export function SectionHeading({ title, hint }: { title: ReactNode; hint?: ReactNode }) {
  return (
    <>
      <Typography component="h2" variant="h6">
        {title}
      </Typography>
      {hint && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.25 }}>
          {hint}
        </Typography>
      )}
    </>
  );
}
