import { describeMenu, screens, type MenuEntry, type Role, type ScreenId } from '@breakwater/contract';
import { Box, Collapse, List, ListItemButton, ListItemIcon, ListItemText, ListSubheader, Stack, Typography, type Theme } from '@mui/material';
import { Link, useMatches } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { config } from '../api/config.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { Icon, iconNamed } from '../kit/icon.tsx';
import { Logo } from './logo.tsx';
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
  const language = useLanguage();
  const current = useCurrentScreen();
  const active = current && screens[parents[current] ?? current].path;
  const sections = useMemo(() => describeMenu(role, language), [role, language]);
  return (
    <Stack sx={{ height: '100%' }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, px: 2.5, height: { xs: 64, md: 72 }, flexShrink: 0 }}>
        <Logo />
        <Typography variant="h6" component="span" noWrap>
          {config().app_name}
        </Typography>
      </Stack>
      <Box component="nav" aria-label={t.navigation} sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 3 }}>
        {sections.map((section) => (
          <List
            key={section.subheader}
            dense
            disablePadding
            subheader={
              <ListSubheader disableSticky sx={{ bgcolor: 'transparent', lineHeight: 1.5, pt: 2, pb: 0.75, px: 1.5, fontSize: 11, fontWeight: 700, color: 'text.secondary' }}>
                {section.subheader}
              </ListSubheader>
            }
          >
            {section.items.map((entry) => (
              <Entry key={entry.title} entry={entry} active={active} onNavigate={onNavigate} />
            ))}
          </List>
        ))}
      </Box>
    </Stack>
  );
}

interface EntryProps {
  entry: MenuEntry;
  active: string | undefined;
  onNavigate: (() => void) | undefined;
  nested?: boolean;
}

function Entry({ entry, active, onNavigate, nested = false }: EntryProps) {
  const { children, path = '' } = entry;
  if (children) return <Group entry={entry} entries={children} active={active} onNavigate={onNavigate} />;
  const selected = active === path;
  const internal = path.startsWith('/dashboard');
  const target = internal ? { component: Link, to: path } : { component: 'a', href: path, target: '_blank', rel: 'noreferrer' };
  return (
    <ListItemButton
      {...target}
      selected={selected}
      {...(entry.disabled ? { disabled: true } : {})}
      {...(selected ? { 'aria-current': 'page' as const } : {})}
      {...(onNavigate ? { onClick: onNavigate } : {})}
      sx={[itemLook, nested && { pl: 2.5, minHeight: 38 }]}
    >
      <EntryLook entry={entry} />
    </ListItemButton>
  );
}

interface GroupProps extends EntryProps {
  entries: readonly MenuEntry[];
}

/** Folds and unfolds on a click. */
function Group({ entry, entries, active, onNavigate }: GroupProps) {
  const holdsActive = entries.some(({ path }) => path === active);
  const [shown, setShown] = useState(true);
  return (
    <>
      <ListItemButton onClick={() => setShown(!shown)} aria-expanded={shown} sx={[itemLook, holdsActive && { fontWeight: 600, color: 'text.primary' }]}>
        <EntryLook entry={entry} />
        <Icon name={shown ? 'down' : 'right'} size={16} />
      </ListItemButton>
      <Collapse in={shown} unmountOnExit>
        <List dense disablePadding sx={{ pl: 1.5 }}>
          {entries.map((child) => (
            <Entry key={child.title} entry={child} active={active} onNavigate={onNavigate} nested />
          ))}
        </List>
      </Collapse>
    </>
  );
}

function EntryLook({ entry: { icon, title } }: { entry: MenuEntry }) {
  return (
    <>
      <ListItemIcon sx={{ minWidth: 36, color: 'inherit' }}>
        <Icon name={iconNamed(icon)} size={22} />
      </ListItemIcon>
      <ListItemText primary={title} slotProps={{ primary: { noWrap: true, variant: 'body2', sx: { fontWeight: 'inherit' } } }} />
    </>
  );
}

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
