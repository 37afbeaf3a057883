import { screens, type Role, type ScreenId } from '@breakwater/contract';
import { Box, List, ListItemButton, ListItemIcon, ListItemText, ListSubheader, Stack, Typography, type Theme } from '@mui/material';
import { Link, useMatches } from '@tanstack/react-router';
import { config } from '../api/config.ts';
import { useText } from '../i18n/text.ts';
import { Icon, iconNamed } from '../kit/icon.tsx';
import { Logo } from './logo.tsx';
import { menuFor } from './menu.ts';
import { shellText } from './shell.text.ts';

/** Screens that stand in no menu, by the menu entry that leads to them. */
const parents: Partial<Record<ScreenId, ScreenId>> = {
  nodeDetail: 'nodes',
  lineGroupDetail: 'lineGroups',
  orderDetail: 'orders',
  siteCreate: 'sites',
  siteDetail: 'sites',
  clientDetail: 'clients',
};

export function useCurrentScreen(): ScreenId | undefined {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
}

export function Navigation({ role, onNavigate }: { role: Role; onNavigate?: () => void }) {
  const t = useText(shellText);
  const current = useCurrentScreen();
  const active = current && (parents[current] ?? current);
  return (
    <Stack sx={{ height: '100%' }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, px: 2.5, height: { xs: 64, md: 72 }, flexShrink: 0 }}>
        <Logo />
        <Typography variant="h6" component="span" noWrap>
          {config().app_name}
        </Typography>
      </Stack>
      <Box component="nav" aria-label={t.navigation} sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 3 }}>
        {menuFor(role).map((section) => (
          <List
            key={section.titleKey}
            dense
            disablePadding
            subheader={
              <ListSubheader disableSticky sx={{ bgcolor: 'transparent', lineHeight: 1.5, pt: 2, pb: 0.75, px: 1.5, fontSize: 11, fontWeight: 700, color: 'text.secondary' }}>
                {t.menu[menuLeaf(section.titleKey)]}
              </ListSubheader>
            }
          >
            {section.items.map(({ screen, icon }) => (
              <ListItemButton
                key={screen}
                component={Link}
                to={screens[screen].path}
                selected={active === screen}
                {...(active === screen ? { 'aria-current': 'page' as const } : {})}
                {...(onNavigate ? { onClick: onNavigate } : {})}
                sx={itemLook}
              >
                <ListItemIcon sx={{ minWidth: 36, color: 'inherit' }}>
                  <Icon name={iconNamed(icon)} size={22} />
                </ListItemIcon>
                <ListItemText primary={t.screen[screen]} slotProps={{ primary: { noWrap: true, variant: 'body2', sx: { fontWeight: 'inherit' } } }} />
              </ListItemButton>
            ))}
          </List>
        ))}
      </Box>
    </Stack>
  );
}

type MenuLeaf = keyof (typeof shellText)['zh']['menu'];
const menuLeaf = (titleKey: `menu.${string}`) => titleKey.slice('menu.'.length) as MenuLeaf;

const itemLook = (theme: Theme) => ({
  minHeight: 42,
  mb: 0.5,
  px: 1.5,
  borderRadius: 1,
  fontWeight: 500,
  color: theme.vars!.palette.text.secondary,
  '&.Mui-selected, &.Mui-selected:hover': {
    fontWeight: 600,
    color: theme.vars!.palette.primary.dark,
    backgroundColor: theme.alpha(theme.vars!.palette.primary.main, 0.1),
    ...theme.applyStyles('dark', { color: theme.vars!.palette.primary.light }),
  },
});
