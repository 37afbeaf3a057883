import { Box, Container, IconButton, Link as MuiLink, Stack, useMediaQuery, type Theme } from '@mui/material';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useMayOpen } from '../api/account.ts';
import { config } from '../api/config.ts';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { Later } from '../kit/later.tsx';
import { lazyOverlay } from '../kit/lazy-overlay.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { MayOpen } from '../kit/router-link.tsx';
import { useSettings } from '../theme/settings.ts';
import { AppName, Header, NavToggle } from './header.tsx';
import { Logo } from './logo.tsx';
import { headerHeight, navFrame, navHeight, navWidth, transitionMs } from './nav/nav-look.ts';
import { NavScroll, NavVertical } from './nav/nav-vertical.tsx';
import { optional } from './optional-part.ts';
import { usePageHeading } from './page-heading.ts';
import { ProgressBar } from './progress-bar.tsx';
import { toggleSearch, useSearchOpen } from './search/search-open.ts';
import { shellText } from './shell.text.ts';
import { Shortcuts } from './shortcuts.tsx';
import { TabBar } from './tab-bar.tsx';
import { UpgradeBanner } from './upgrade-banner.tsx';

const Toasts = optional(() => import('./toasts.tsx').then((module) => module.Toasts));
const SearchDialog = optional(() =>
  import('./search/search-dialog.tsx').then((module) => module.SearchDialog),
);

const OtherAccount = optional(() => import('./other-account.tsx').then((module) => module.OtherAccount));
const SignedOut = optional(() => import('./signed-out.tsx').then((module) => module.SignedOut));
const NavDrawer = lazyOverlay(() => import('./nav/nav-drawer.tsx').then((module) => module.NavDrawer));
// The looks of the menu that most do not choose.
const NavHorizontal = lazyPart(() =>
  import('./nav/nav-horizontal.tsx').then((module) => module.NavHorizontal),
);
const NavMini = lazyPart(() => import('./nav/nav-mini.tsx').then((module) => module.NavMini));
/** Above this width, the compact layout keeps the content to a readable measure. */
const compact = { fromPx: 1600, widthPx: 1440 };

/** The frame around every screen, in which links follow what the account may open. */
export function DashboardLayout() {
  return (
    <MayOpen value={useMayOpen()}>
      <Layout />
      <Suspense>
        {useSyncExternalStore(session.onChange, session.isOthers) && <OtherAccount />}
        {useSyncExternalStore(session.onChange, session.isOver) && <SignedOut />}
      </Suspense>
    </MayOpen>
  );
}

function Layout() {
  const t = useText(shellText);
  const { navLayout, compactLayout } = useSettings();
  const wide = useMediaQuery((theme: Theme) => theme.breakpoints.up('md'));
  const content = useRef<HTMLElement>(null);
  usePageHeading(content);
  useSearchShortcut();
  const sidebar = wide && navLayout !== 'horizontal';
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh' }}>
      <ProgressBar />
      <MuiLink
        href="#content"
        sx={skipLook}
        onClick={(event) => {
          event.preventDefault();
          content.current?.focus();
        }}
      >
        {t.skip}
      </MuiLink>
      {sidebar && <Sidebar mini={navLayout === 'mini'} />}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <Top>
          <Header start={wide ? sidebar ? <NavToggle /> : <Brand /> : <MobileNav />} />
          {wide && navLayout === 'horizontal' && <HorizontalBar />}
          <TabBar />
        </Top>
        <Container
          component="main"
          id="content"
          ref={content}
          tabIndex={-1}
          maxWidth={false}
          sx={{
            flex: 1,
            outline: 'none',
            py: { xs: 2, md: 3 },
            px: { xs: 2, sm: 3, md: 4 },
            ...(compactLayout
              ? { [`@media (min-width: ${compact.fromPx + 1}px)`]: { maxWidth: compact.widthPx } }
              : {}),
          }}
        >
          <Outlet />
        </Container>
      </Box>
      <Search />
      <Shortcuts />
      <Suspense>
        <Toasts />
      </Suspense>
    </Box>
  );
}

/** Header and tabs stay; what scrolls below shines through, blurred by 8 px. */
function Top({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={(theme) => ({
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        // On a layer of its own: on the bar itself it would tie the flyouts' fixed positions to the bar.
        '&::before': {
          content: '""',
          position: 'absolute',
          inset: 0,
          zIndex: -1,
          backdropFilter: 'blur(8px)',
          backgroundColor: theme.alpha(theme.vars!.palette.background.default, 0.8),
          borderBottom: `1px solid ${theme.vars!.palette.divider}`,
        },
      })}
    >
      {children}
    </Box>
  );
}

function Brand() {
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, mr: 2 }}>
      <Logo />
      <AppName>{config().app_name}</AppName>
    </Stack>
  );
}

function Sidebar({ mini }: { mini: boolean }) {
  const t = useText(shellText);
  const { navColor } = useSettings();
  return (
    <Stack
      component="nav"
      aria-label={t.navigation}
      sx={[
        navFrame(navColor),
        {
          width: mini ? navWidth.mini : navWidth.vertical,
          transition: `width ${transitionMs}ms linear`,
          flexShrink: 0,
          position: 'sticky',
          top: 0,
          height: '100vh',
          zIndex: 1101,
          borderRight: '1px solid var(--nav-line)',
        },
      ]}
    >
      <Stack
        direction="row"
        sx={{
          alignItems: 'center',
          justifyContent: mini ? 'center' : 'flex-start',
          gap: 1.25,
          px: mini ? 0 : 2.5,
          height: headerHeight,
          flexShrink: 0,
        }}
      >
        <Logo />
        {!mini && <AppName>{config().app_name}</AppName>}
      </Stack>
      <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        <Later>
          {mini ? (
            <Box sx={{ flex: 1, overflowY: 'auto', scrollbarWidth: 'none', px: 0.5, pb: 2 }}>
              <Suspense>
                <NavMini />
              </Suspense>
            </Box>
          ) : (
            <NavScroll>
              <NavVertical />
            </NavScroll>
          )}
        </Later>
      </Box>
      {!mini && (
        <Box sx={{ p: 1.5, '&:empty': { display: 'none' } }}>
          <Later>
            <UpgradeBanner />
          </Later>
        </Box>
      )}
    </Stack>
  );
}

function HorizontalBar() {
  const t = useText(shellText);
  const { navColor } = useSettings();
  return (
    <Box
      component="nav"
      aria-label={t.navigation}
      sx={[
        navFrame(navColor),
        {
          height: navHeight,
          px: { md: 3, lg: 4 },
          borderTop: '1px solid var(--nav-line)',
          borderBottom: '1px solid var(--nav-line)',
        },
      ]}
    >
      <Later>
        <Suspense>
          <NavHorizontal />
        </Suspense>
      </Later>
    </Box>
  );
}

/** Below the breakpoint the menu is a drawer; a navigation closes it. It is fetched when it is first opened, and stays, so that it can slide out. */
function MobileNav() {
  const t = useText(shellText);
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <IconButton aria-label={t.openMenu} aria-expanded={open} onClick={() => setOpen(true)} edge="start">
        <Icon name="menu" size={24} />
      </IconButton>
      {wanted && (
        <Suspense>
          <NavDrawer open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The dialog is fetched when it is first opened, and stays, so that it can fade out. */
function Search() {
  const open = useSearchOpen();
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  return (
    wanted && (
      <Suspense>
        <SearchDialog />
      </Suspense>
    )
  );
}

function useSearchShortcut(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      toggleSearch();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const skipLook = {
  position: 'fixed',
  top: -60,
  left: 16,
  zIndex: 2000,
  p: 1,
  bgcolor: 'background.paper',
  borderRadius: 1,
  '&:focus': { top: 8 },
} as const;
