import { Avatar, Badge, Box, Button, IconButton, Stack, Typography } from '@mui/material';
import { Suspense, useState } from 'react';
import { useAccount } from '../api/account.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { Later } from '../kit/later.tsx';
import { isChanged, settings, useSettings } from '../theme/settings.ts';
import { LanguageMenu, SchemeToggle } from './header-controls.tsx';
import { headerHeight } from './nav/nav-look.ts';
import { optional } from './optional-part.ts';
import { openSearch } from './search/search-open.ts';
import { settingsText } from './settings/settings.text.ts';
import { shellText } from './shell.text.ts';
import { lazyOverlay } from '../kit/lazy-overlay.ts';
import { Hint } from '../kit/hint.tsx';

const WorkButton = optional(() => import('./work/work-button.tsx').then((module) => module.WorkButton));
const SettingsDrawer = lazyOverlay(() =>
  import('./settings/settings-drawer.tsx').then((module) => module.SettingsDrawer),
);
const AccountDrawer = lazyOverlay(() =>
  import('./account-drawer.tsx').then((module) => module.AccountDrawer),
);

interface HeaderProps {
  /** Stands first: the button of the mobile menu, or the mark of the product. */
  start: React.ReactNode;
}

export function Header({ start }: HeaderProps) {
  return (
    <Stack
      component="header"
      direction="row"
      sx={{
        height: headerHeight,
        px: { xs: 1.5, sm: 3, md: 4 },
        gap: { xs: 0, sm: 0.5 },
        alignItems: 'center',
      }}
    >
      <Later>
        {start}
        <SearchButton />
        <Box sx={{ flex: 1 }} />
        <Suspense>
          <WorkButton />
        </Suspense>
        <LanguageMenu />
        <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
          <SchemeToggle />
        </Box>
        <SettingsButton />
        <AccountButton />
      </Later>
    </Stack>
  );
}

const shortcut = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

function SearchButton() {
  const t = useText(shellText).search;
  return (
    <>
      <IconButton aria-label={t.open} onClick={openSearch} sx={{ display: { sm: 'none' } }}>
        <Icon name="search" size={22} />
      </IconButton>
      <Button
        color="inherit"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openSearch}
        sx={(theme) => ({
          display: { xs: 'none', sm: 'inline-flex' },
          gap: 1,
          px: 1.25,
          color: 'text.secondary',
          fontWeight: 500,
          bgcolor: theme.alpha(theme.vars!.palette.grey[500], 0.1),
        })}
      >
        <Icon name="search" size={18} />
        {t.open}
        <Box
          component="kbd"
          aria-hidden
          sx={{
            font: 'inherit',
            fontSize: 12,
            px: 0.75,
            ml: 1,
            borderRadius: 0.75,
            bgcolor: 'background.paper',
            border: 1,
            borderColor: 'divider',
          }}
        >
          {shortcut}
        </Box>
      </Button>
    </>
  );
}

function SettingsButton() {
  const t = useText(settingsText);
  const changed = isChanged(useSettings());
  const [open, setOpen] = useState(false);
  const label = changed ? t.changed : t.open;
  return (
    <>
      <Hint title={label}>
        <IconButton aria-label={label} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Badge variant="dot" color="error" invisible={!changed}>
            <Icon name="setting" size={22} />
          </Badge>
        </IconButton>
      </Hint>
      <Lazily when={open}>
        <SettingsDrawer open={open} onClose={() => setOpen(false)} />
      </Lazily>
    </>
  );
}

function AccountButton() {
  const t = useText(shellText);
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const name = account.name || account.username;
  return (
    <>
      <IconButton
        aria-label={`${t.account}: ${name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        edge="end"
      >
        <AccountAvatar name={name} size={36} />
      </IconButton>
      <Lazily when={open}>
        <AccountDrawer open={open} onClose={() => setOpen(false)} />
      </Lazily>
    </>
  );
}

/** Fetched when it is first wanted, and there from then on, so that it can slide out. */
function Lazily({ when, children }: { when: boolean; children: React.ReactNode }) {
  const [wanted, setWanted] = useState(false);
  if (when && !wanted) setWanted(true);
  return wanted && <Suspense>{children}</Suspense>;
}

export function AccountAvatar({ name, size }: { name: string; size: number }) {
  return (
    <Avatar
      sx={{
        width: size,
        height: size,
        fontSize: size * 0.44,
        fontWeight: 700,
        bgcolor: 'primary.dark',
        color: 'common.white',
      }}
    >
      {name.slice(0, 1).toUpperCase()}
    </Avatar>
  );
}

/** The sidebar's width in one click: vertical and mini take turns. */
export function NavToggle() {
  const t = useText(shellText);
  const { navLayout, direction } = useSettings();
  const [mini, rtl] = [navLayout === 'mini', direction === 'rtl'];
  const label = mini ? t.fullSidebar : t.miniSidebar;
  return (
    <Hint title={label}>
      <IconButton
        aria-label={label}
        edge="start"
        onClick={() => settings.set({ navLayout: mini ? 'vertical' : 'mini' })}
        sx={{ transform: mini === rtl ? 'none' : 'scaleX(-1)' }}
      >
        <Icon name="collapse" />
      </IconButton>
    </Hint>
  );
}

export function AppName({ children }: { children: string }) {
  return (
    <Typography variant="h6" component="span" noWrap>
      {children}
    </Typography>
  );
}
