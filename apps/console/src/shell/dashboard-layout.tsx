import { menuText } from '@breakwater/contract';
import { AppBar, Box, Container, Drawer, IconButton, Link as MuiLink, Toolbar, Typography, useMediaQuery, type Theme } from '@mui/material';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../api/account.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LanguageMenu, SchemeToggle } from './header-controls.tsx';
import { Navigation, useCurrentScreen } from './navigation.tsx';
import { shellText } from './shell.text.ts';

const navigationWidth = 240;

export function DashboardLayout() {
  const t = useText(shellText);
  const { role } = useAccount();
  const wide = useMediaQuery((theme: Theme) => theme.breakpoints.up('md'));
  const [open, setOpen] = useState(false);
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh' }}>
      <MuiLink
        href="#content"
        sx={{ position: 'fixed', top: -60, left: 16, zIndex: 2000, p: 1, bgcolor: 'background.paper', borderRadius: 1, '&:focus': { top: 8 } }}
      >
        {t.skip}
      </MuiLink>
      {wide ? (
        <Box
          sx={{
            width: navigationWidth,
            flexShrink: 0,
            position: 'sticky',
            top: 0,
            height: '100vh',
            borderRight: 1,
            borderColor: 'divider',
            bgcolor: 'background.paper',
          }}
        >
          <Navigation role={role} />
        </Box>
      ) : (
        <Drawer open={open} onClose={() => setOpen(false)} slotProps={{ paper: { sx: { width: 'min(320px, 88vw)' } } }}>
          <Navigation role={role} onNavigate={() => setOpen(false)} />
        </Drawer>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <Header onMenu={wide ? undefined : () => setOpen(true)} />
        <Container component="main" id="content" tabIndex={-1} maxWidth="xl" sx={{ flex: 1, py: { xs: 2, md: 3 }, px: { xs: 2, sm: 3, md: 4 }, outline: 'none' }}>
          <Outlet />
        </Container>
      </Box>
    </Box>
  );
}

function Header({ onMenu }: { onMenu: (() => void) | undefined }) {
  const t = useText(shellText);
  const screen = useCurrentScreen();
  const language = useLanguage();
  return (
    <AppBar
      position="sticky"
      color="inherit"
      elevation={0}
      sx={(theme) => ({
        bgcolor: theme.alpha(theme.vars!.palette.background.default, 0.8),
        backdropFilter: 'blur(8px)',
        backgroundImage: 'none',
      })}
    >
      <Toolbar sx={{ minHeight: { xs: 64, md: 72 }, px: { xs: 2, sm: 3, md: 4 }, gap: 0.5 }}>
        {onMenu && (
          <IconButton aria-label={t.openMenu} onClick={onMenu} edge="start">
            <Icon name="menu" size={24} />
          </IconButton>
        )}
        <Typography variant="body2" component="span" noWrap sx={{ flex: 1, color: 'text.secondary', fontWeight: 500 }}>
          {screen && menuText[language].screen[screen]}
        </Typography>
        <LanguageMenu />
        <SchemeToggle />
        <AccountMenu />
      </Toolbar>
    </AppBar>
  );
}
