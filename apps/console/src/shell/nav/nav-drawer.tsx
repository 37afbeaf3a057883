import { Box, Drawer, IconButton, Stack } from '@mui/material';
import { config } from '../../api/config.ts';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { useSettings } from '../../theme/settings.ts';
import { AppName } from '../header.tsx';
import { Logo } from '../logo.tsx';
import { shellText } from '../shell.text.ts';
import { UpgradeBanner } from '../upgrade-banner.tsx';
import { headerHeight, navFrame, navWidth } from './nav-look.ts';
import { NavScroll, NavVertical } from './nav-vertical.tsx';

/** The menu on a narrow screen. */
export function NavDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText(shellText);
  const { navColor } = useSettings();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-label': t.navigation,
          sx: [navFrame(navColor), { width: `min(${navWidth.mobile}px, 88vw)`, backgroundImage: 'none' }],
        } as object,
      }}
    >
      <Stack
        direction="row"
        sx={{ alignItems: 'center', gap: 1.25, px: 2.5, height: headerHeight, flexShrink: 0 }}
      >
        <Logo />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <AppName>{config().app_name}</AppName>
        </Box>
        <IconButton aria-label={t.closeMenu} onClick={onClose} edge="end" color="inherit">
          <Icon name="close" />
        </IconButton>
      </Stack>
      <Box
        component="nav"
        aria-label={t.navigation}
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        <NavScroll>
          <NavVertical />
        </NavScroll>
      </Box>
      <Box sx={{ p: 1.5 }}>
        <UpgradeBanner />
      </Box>
    </Drawer>
  );
}
