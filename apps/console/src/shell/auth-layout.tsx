import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { config } from '../api/config.ts';
import { useText } from '../i18n/text.ts';
import { Later } from '../kit/later.tsx';
import { grey } from '../theme/palette.ts';
import { AuthIllustration } from './auth-illustration.tsx';
import { AuthMethods } from './auth-methods.tsx';
import { authText } from './auth.text.ts';
import { LanguageMenu, SchemeToggle } from './header-controls.tsx';
import { Logo } from './logo.tsx';
import { headerHeight } from './nav-look.ts';
import { faqsPath, privacyPath } from './return-target.ts';

const contentWidthPx = 420;

interface AuthLayoutProps {
  title: string;
  subtitle: string;
  /** What the window is called. */
  page: string;
  children: ReactNode;
}

/** The split page of sign-in and sign-up: what this is on one side, the form on the other. */
export function AuthLayout({ title, subtitle, page, children }: AuthLayoutProps) {
  const t = useText(authText);
  useEffect(() => {
    document.title = `${page} · ${config().app_name}`;
  }, [page]);
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh', bgcolor: 'background.paper' }}>
      <Stack component="aside" sx={asideLook}>
        <Box sx={{ textAlign: 'center' }}>
          <Typography variant="h3" component="p" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          <Typography component="p" sx={{ color: grey[400] }}>
            {subtitle}
          </Typography>
        </Box>
        <AuthIllustration />
        <AuthMethods />
      </Stack>
      <Stack sx={{ flex: '1 1 0', minWidth: 0 }}>
        <Stack
          component="header"
          direction="row"
          sx={{ height: headerHeight, px: { xs: 2, sm: 4 }, alignItems: 'center', gap: 1 }}
        >
          <Logo />
          <Typography variant="h6" component="span" noWrap sx={{ flex: 1 }}>
            {config().app_name}
          </Typography>
          <Later>
            <LanguageMenu />
            <SchemeToggle />
          </Later>
        </Stack>
        <Stack
          component="main"
          sx={{ flex: 1, justifyContent: 'center', alignItems: 'center', p: { xs: 2, sm: 4 } }}
        >
          <Box sx={{ width: '100%', maxWidth: contentWidthPx }}>
            <Box sx={{ display: { md: 'none' }, mb: 4 }}>
              <Typography variant="h4" component="p" sx={{ overflowWrap: 'anywhere' }}>
                {title}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
                {subtitle}
              </Typography>
            </Box>
            {children}
            <Box
              sx={{
                display: { xs: 'grid', md: 'none' },
                justifyContent: 'center',
                mt: 4,
                '--auth-active': 'var(--mui-palette-primary-main)',
              }}
            >
              <AuthMethods />
            </Box>
          </Box>
        </Stack>
        <Stack
          component="footer"
          direction="row"
          sx={{ justifyContent: 'center', gap: 3, p: 2.5, typography: 'body2' }}
        >
          <MuiLink component={Link} to={faqsPath}>
            {t.faqs}
          </MuiLink>
          <MuiLink component={Link} to={privacyPath}>
            {t.privacy}
          </MuiLink>
        </Stack>
      </Stack>
    </Box>
  );
}

const asideLook = {
  display: { xs: 'none', md: 'flex' },
  flex: '1 1 0',
  maxWidth: 620,
  justifyContent: 'center',
  alignItems: 'center',
  gap: 5,
  p: { md: 5, lg: 8 },
  color: grey[100],
  '--auth-active': '#5BE49B',
  background: `radial-gradient(120% 90% at 0% 0%, #00553f 0%, transparent 60%), radial-gradient(90% 70% at 100% 100%, #003768 0%, transparent 65%), ${grey[900]}`,
} as const;
