import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { config } from '../api/config.ts';
import { Icon } from '../kit/icon.tsx';
import { grey } from '../theme/palette.ts';
import { LanguageMenu, SchemeToggle } from './header-controls.tsx';
import { Logo } from './logo.tsx';

interface AuthLayoutProps {
  title: string;
  subtitle: string;
  points: readonly string[];
  children: ReactNode;
}

/** The split page of sign-in: what this is on one side, the form (420 px) on the other. */
export function AuthLayout({ title, subtitle, points, children }: AuthLayoutProps) {
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh', bgcolor: 'background.paper' }}>
      <Stack
        component="aside"
        sx={{
          display: { xs: 'none', md: 'flex' },
          flex: '1 1 0',
          maxWidth: 640,
          position: 'relative',
          overflow: 'hidden',
          justifyContent: 'center',
          gap: 4,
          p: { md: 6, lg: 8 },
          color: grey[100],
          background: `radial-gradient(120% 90% at 0% 0%, #00553f 0%, transparent 60%), radial-gradient(90% 70% at 100% 100%, #003768 0%, transparent 65%), ${grey[900]}`,
        }}
      >
        <Box>
          <Typography variant="h3" component="p" sx={{ mb: 1.5 }}>
            {title}
          </Typography>
          <Typography variant="h6" component="p" sx={{ fontWeight: 400, color: grey[400] }}>
            {subtitle}
          </Typography>
        </Box>
        <Stack component="ul" sx={{ gap: 2, m: 0, p: 0, listStyle: 'none' }}>
          {points.map((point) => (
            <Stack component="li" direction="row" key={point} sx={{ gap: 1.5, alignItems: 'flex-start' }}>
              <Icon name="check" size={22} sx={{ color: '#5BE49B' }} />
              <Typography variant="body1" component="span">
                {point}
              </Typography>
            </Stack>
          ))}
        </Stack>
        <Waves />
      </Stack>
      <Stack sx={{ flex: '1 1 0', minWidth: 0 }}>
        <Stack direction="row" sx={{ height: { xs: 64, md: 72 }, px: { xs: 2, sm: 4 }, alignItems: 'center', gap: 1 }}>
          <Logo />
          <Typography variant="h6" component="span" noWrap sx={{ flex: 1 }}>
            {config().app_name}
          </Typography>
          <LanguageMenu />
          <SchemeToggle />
        </Stack>
        <Stack component="main" sx={{ flex: 1, justifyContent: 'center', alignItems: 'center', p: { xs: 2, sm: 4 }, pb: { md: 12 } }}>
          <Box sx={{ width: '100%', maxWidth: 420 }}>
            <Typography variant="h4" component="p" sx={{ display: { md: 'none' }, mb: 3 }}>
              {title}
            </Typography>
            {children}
          </Box>
        </Stack>
      </Stack>
    </Box>
  );
}

function Waves() {
  const line = (y: number) => `M-20 ${y}c70 0 70-40 140-40s70 40 140 40 70-40 140-40 70 40 140 40 70-40 140-40 70 40 140 40`;
  return (
    <Box
      component="svg"
      viewBox="0 0 640 200"
      preserveAspectRatio="none"
      aria-hidden
      sx={{ position: 'absolute', left: 0, bottom: 0, width: '100%', height: 200, opacity: 0.35 }}
    >
      {[80, 115, 150, 185].map((y, index) => (
        <path key={y} d={line(y)} fill="none" stroke="#00A76F" strokeWidth={2} opacity={1 - index * 0.2} />
      ))}
    </Box>
  );
}
